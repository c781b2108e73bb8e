import type { Handler } from 'hono';
import { listRefused } from '../refused/sql/listRefused.js';
import { listLastRefusals } from '../refused/sql/refusalCount.js';
import type { SdkFiles } from '../site/sdkFiles.js';
import { scriptHtml, tagHtml } from '../site/tag.js';
import { listKeys } from '../teams/sql/apiKey.js';
import { listDomains } from '../teams/sql/domain.js';
import { listSdkVersions, type SeenSdkVersion } from '../teams/sql/sdkVersions.js';
import { encodeId } from '../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from './context.js';
import { renderPage } from './layout.js';
import { partRefusals } from './refusedHosts.js';
import { refusedNowAtMost } from './refusedTable.js';
import { Setup } from './setup.js';
import { lastOrders } from './setupDomains.js';
import { listOrderHosts } from './sql/orderFigures.js';
import { pageOrders } from './sql/shownOrders.js';

const monthMs = 30 * 86_400_000;
const ordersToTry = 5;

/** `GET /console/setup`: the tag, the allowed domains, the API keys, and the orders that arrive now. */
export function getSetup(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return (c) => renderSetup(c, deps, null);
}

/**
 * Answers with the setup page.
 * @param refusal the domain that was sent, and why it cannot be allowed: then the status is 400
 */
export async function renderSetup(
  c: ConsoleContext,
  { ask, clock, keepSums, publicUrl, sdk }: ConsoleDeps,
  refusal: { domain: string; hint: string } | null,
): Promise<Response> {
  const { teamId } = c.var.session;
  const now = new Date(clock.nowMs());
  const since = new Date(now.getTime() - monthMs);
  await keepSums(teamId, since);
  const hostsOf = (isTest: boolean) => ask((sql) => listOrderHosts(sql, teamId, { since, isTest }));
  const newest = { before: null, limit: ordersToTry, lookAtMost: ordersToTry };
  const [domains, keys, versions, live, test, orders, refusals, refused] = await Promise.all([
    ask((sql) => listDomains(sql, teamId)),
    ask((sql) => listKeys(sql, teamId)),
    ask((sql) => listSdkVersions(sql, teamId)),
    hostsOf(false),
    hostsOf(true),
    ask((sql) => pageOrders(sql, teamId, {}, newest)),
    ask((sql) => listLastRefusals(sql, teamId, since)),
    ask((sql) => listRefused(sql, teamId, { limit: refusedNowAtMost })),
  ]);
  const tag = { publicUrl: publicUrl(), teamId: encodeId('team', teamId) };
  c.status(refusal ? 400 : 200);
  return renderPage(
    c,
    <Setup
      now={now}
      tag={tagHtml(tag)}
      pinned={scriptHtml({ ...tag, pinnedTo: sdk })}
      domains={lastOrders(domains, [...live, ...test])}
      refusals={partRefusals(domains, refusals)}
      refused={refused}
      keys={keys}
      versions={releasedFirst(versions, sdk)}
      orders={orders}
      refusal={refusal}
    />,
    { title: 'Setup', here: 'Setup', scripts: ['copy.js', 'live.js'] },
  );
}

/** Puts versions that were released before those that a report may have made up. */
function releasedFirst(
  versions: SeenSdkVersion[],
  { version: current, released }: SdkFiles,
): SeenSdkVersion[] {
  const isReleased = ({ version }: SeenSdkVersion) => version === current || released.has(version);
  return [...versions.filter(isReleased), ...versions.filter((seen) => !isReleased(seen))];
}
