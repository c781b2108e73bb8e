import type { Handler } from 'hono';
import { listRefused } from '../../refused/sql/listRefused.js';
import { listLastRefusals } from '../../refused/sql/refusalCount.js';
import { scriptHtml } from '../../site/tag.js';
import { listSources } from '../../sources/sql/source.js';
import { listKeys } from '../../teams/sql/apiKey.js';
import { listConsoleSessions } from '../../teams/sql/consoleSession.js';
import { listDomains } from '../../teams/sql/domain.js';
import { encodeId } from '../../values/ids.js';
import { dayMs } from '../../values/timeUnits.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderPage } from '../parts/layout.js';
import { partRefusals } from '../refused/refusedHosts.js';
import { refusedNowAtMost } from '../refused/refusedTable.js';
import { readDoneSteps } from '../sql/doneSteps.js';
import { listOrderHosts } from '../sql/orderFigures.js';
import { pageOrders } from '../sql/shownOrders.js';
import { listSourceMeetings } from '../sql/sourceMeetings.js';
import { Setup, type SetupRefusal } from './setup.js';
import { lastOrders } from './setupDomains.js';
import { isSetUp } from './setupSteps.js';
import { readPlatform } from './setupTag.js';

const monthMs = 30 * dayMs;
const ordersToTry = 5;

/** `GET /console/setup`: the tag, the allowed domains, sources, API and signing keys, and the orders that arrive now. */
export function getSetup(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return (c) => renderSetup(c, deps, null);
}

/**
 * Answers with the setup page.
 * @param refusal the reason why a form was not accepted: then the status is 400
 */
export async function renderSetup(
  c: ConsoleContext,
  { ask, clock, publicUrl, sdk }: ConsoleDeps,
  refusal: SetupRefusal | null,
): Promise<Response> {
  const { teamId } = c.var.session;
  const now = new Date(clock.nowMs());
  const since = new Date(now.getTime() - monthMs);
  const hostsOf = (isTest: boolean) => ask(teamId, (sql) => listOrderHosts(sql, teamId, { since, isTest }));
  const newest = { before: null, limit: ordersToTry, lookAtMost: ordersToTry };
  const [domains, keys, live, test, orders, refusals, refused, sources, meetings, browsers, done] =
    await Promise.all([
      ask(teamId, (sql) => listDomains(sql, teamId)),
      ask(teamId, (sql) => listKeys(sql, teamId)),
      hostsOf(false),
      hostsOf(true),
      ask(teamId, (sql) => pageOrders(sql, teamId, {}, newest)),
      ask(teamId, (sql) => listLastRefusals(sql, teamId, since)),
      ask(teamId, (sql) => listRefused(sql, teamId, { limit: refusedNowAtMost })),
      ask(teamId, (sql) => listSources(sql, teamId)),
      ask(teamId, (sql) => listSourceMeetings(sql, teamId, since)),
      ask(teamId, (sql) => listConsoleSessions(sql, teamId)),
      ask(teamId, (sql) => readDoneSteps(sql, teamId)),
    ]);
  const tag = { publicUrl: publicUrl(), teamId: encodeId('team', teamId) };
  c.status(refusal ? 400 : 200);
  return renderPage(
    c,
    <Setup
      now={now}
      platform={readPlatform(c.req.query('platform'))}
      teamId={tag.teamId}
      done={done}
      pinned={sdk.pin && scriptHtml({ ...tag, pinnedTo: sdk.pin })}
      domains={lastOrders(domains, [...live, ...test])}
      refusals={partRefusals(domains, refusals)}
      refused={refused}
      publicUrl={tag.publicUrl}
      sources={sources}
      meetings={meetings}
      keys={keys}
      browsers={browsers}
      orders={orders}
      refusal={refusal}
    />,
    {
      title: 'Setup',
      here: 'Setup',
      scripts: ['copy.js', 'live.js', ...(isSetUp(done) ? [] : ['liveFigures.js'])],
    },
  );
}
