import type { Handler } from 'hono';
import { listRefused } from '../refused/sql/listRefused.js';
import { listLastRefusals } from '../refused/sql/refusalCount.js';
import { scriptHtml, tagHtml } from '../site/tag.js';
import { listKeys } from '../teams/sql/apiKey.js';
import { listDomains } from '../teams/sql/domain.js';
import { listSdkVersions } from '../teams/sql/sdkVersions.js';
import { encodeId } from '../values/ids.js';
import { basePath, type ConsoleContext, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { Page } from './layout.js';
import { partRefusals } from './refusedHosts.js';
import { refusedNowAtMost } from './refusedNow.js';
import { replyPage } from './replyPage.js';
import { Setup } from './setup.js';
import { lastOrders } from './setupDomains.js';
import { listOrderHosts } from './sql/orderFigures.js';
import { pageOrders } from './sql/shownOrders.js';

const monthMs = 30 * 86_400_000;
const ordersToTry = 5;

/** `GET /console/setup`: the tag, the allowed domains, the API keys, and the orders that arrive now. */
export function getSetup(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return (c) => replySetup(c, deps, 200, null);
}

/**
 * Answers with the setup page.
 * @param refusal what is wrong with the domain that was sent, and the domain
 */
export async function replySetup(
  c: ConsoleContext,
  { ask, keepSums, publicUrl, sdk }: ConsoleDeps,
  status: number,
  refusal: { domain: string; hint: string } | null,
): Promise<Response> {
  const session = c.get('session');
  const reader = c.get('reader');
  const { teamId } = session;
  const now = new Date();
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
  const base = basePath(publicUrl());
  const tag = { publicUrl: publicUrl(), teamId: encodeId('team', teamId) };
  return replyPage(
    c,
    status,
    <Page
      title="Setup"
      here="Setup"
      base={base}
      session={session}
      zone={reader.zone}
      scripts={['copy.js', 'live.js']}
    >
      <Setup
        base={base}
        reader={reader}
        session={session}
        now={now}
        tag={tagHtml(tag)}
        pinned={scriptHtml({ ...tag, pinnedTo: sdk })}
        domains={lastOrders(domains, [...live, ...test])}
        refusals={partRefusals(domains, refusals)}
        refused={refused}
        keys={keys}
        versions={versions}
        orders={orders}
        refusal={refusal}
      />
    </Page>,
  );
}
