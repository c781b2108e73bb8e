import type { ConsoleContext } from '../../../console/context.js';
import { findEntries } from '../../../core/teams/sql/domain.js';
import { findTeam } from '../../../core/teams/sql/team.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId } from '../../../values/ids.js';
import type { RefusedKeeper } from '../keepRefused.js';
import type { RefusedRow } from '../refusedReport.js';
import { groupRefused, sumRefused } from '../sql/groupRefused.js';
import { listRefused } from '../sql/listRefused.js';
import { readRefusedQuery } from './refusedQuery.js';

const reportsOnPage = 50;

/** Data of the page of refused reports. */
export type RefusedData = Awaited<ReturnType<typeof loadRefused>>;

/** Loads the refused reports that need attention, in groups; or one page of a group's reports. */
export async function loadRefused(c: ConsoleContext, findUnkept: RefusedKeeper['findUnkept']) {
  const { query: ask, queryOnce, readNavigation, isTest } = c.var;
  const { kind, before } = readRefusedQuery(c.req.query());
  const [groups, domains, team, found, sums] = await Promise.all([
    ask(groupRefused, { ...kind, isTest }),
    ask(findEntries),
    ask(findTeam),
    kind ? ask(listRefused, { ...kind, isTest, before, limit: reportsOnPage + 1, isShort: true }) : null,
    queryOnce(sumRefused, isTest),
    readNavigation(),
  ]);
  return {
    kind,
    before,
    groups,
    domains,
    requiresSignature: team?.requiresSignature ?? false,
    sums,
    /**
     * Refused reports that were counted but not kept; null on the page of the test mode. Their mode is unknown, so only the live
     * page shows them.
     */
    unkept: isTest ? null : findUnkept(c.var.session.teamId),
    /** The reports of one group; null on the page of all groups. */
    entries: found?.slice(0, reportsOnPage) ?? null,
    isMore: found !== null && found.length > reportsOnPage,
  };
}

/** Finds a refused report of the team. @throws ApiError `not_found` if it was stored or discarded, or never existed */
export async function requireReport(c: ConsoleContext, text: string): Promise<RefusedRow> {
  const id = decodeId('ref', text);
  const [entry] = id ? await c.var.query(listRefused, { ids: [id], limit: 1 }) : [];
  if (entry) return entry;
  throw new ApiError('not_found', {
    message:
      'No refused report of this team has that id. It was stored or discarded, or is older than 30 days.',
  });
}

/** Loads the further data of the page of one refused report. */
export async function loadReport(c: ConsoleContext, entry: RefusedRow) {
  const [domains, team] = await Promise.all([c.var.query(findEntries), c.var.query(findTeam)]);
  return { entry, domains, requiresSignature: team?.requiresSignature ?? false };
}
