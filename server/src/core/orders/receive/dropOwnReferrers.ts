import type { Touch } from '@orderbeacon/sdk/contract';
import type { InTurn } from '../../../database/turns.js';
import type { Uuid } from '../../../values/ids.js';
import { isAllowed } from '../../teams/domains.js';
import { findEntries } from '../../teams/sql/domain.js';
import type { PreparedReport } from '../report.js';
import { hasCampaign, onOwnSite } from './touches.js';

/**
 * Removes the team's own domains from the referrers of a report with an API key. Also removes `ref` parameters of links from there,
 * because a visitor within one site comes from no other source. A page's report names its host, so its own referrers were removed
 * when it was read. A report without a referrer costs no statement.
 */
export async function dropOwnReferrers(
  inTurn: InTurn,
  teamId: Uuid,
  report: PreparedReport,
): Promise<PreparedReport> {
  const { firstTouch, lastTouch } = report;
  if (!firstTouch?.referrer && !lastTouch?.referrer) return report;
  const domains = await inTurn(teamId, (sql) => findEntries(sql, teamId));
  const withoutOwn = (touch: Touch | null) =>
    touch?.referrer && isAllowed(touch.referrer, domains) ? onOwnSite(touch) : touch;
  const last = withoutOwn(lastTouch);
  return { ...report, firstTouch: withoutOwn(firstTouch), lastTouch: hasCampaign(last) ? last : null };
}
