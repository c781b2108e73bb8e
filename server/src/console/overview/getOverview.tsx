import type { Handler } from 'hono';
import { listHooks } from '../../hooks/sql/hook.js';
import { sumRefunds } from '../../orders/sql/listRefunds.js';
import { isStoredCurrency } from '../../values/currency.js';
import { encodeId } from '../../values/ids.js';
import { dayMs, hourMs } from '../../values/timeUnits.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderPage } from '../parts/layout.js';
import { readDoneSteps } from '../sql/doneSteps.js';
import { listOrderHosts, readOrderFigures } from '../sql/orderFigures.js';
import { readOrigins } from '../sql/originSums.js';
import { findLookedAt, pageOrders } from '../sql/shownOrders.js';
import { readRange } from './askedRange.js';
import { newestAtMost, newestLookAtMost } from './newestOrders.js';
import { readOriginQuery } from './orderOrigins.js';
import { Overview } from './overview.js';
import { arrangeFigures } from './overviewFigures.js';
import { makeBuckets, makeRange } from './range.js';
import { readShownSilence } from './silenceNotice.js';

/** The usual rate of a host is that of the last 7 days, or since its first order, but at least of a day. */
const usualMs = 7 * dayMs;

/** `GET /console`: orders and money of a range, by who reported them, and the hosts that they came from. */
export function getOverview(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOverview(c) {
    const { session, viewer } = c.var;
    const { teamId } = session;
    const now = new Date(deps.clock.nowMs());
    const here = { now, zone: viewer.zone };
    const asked = c.req.query();
    const { range: chosen, note } = readRange(asked, here);
    const range = chosen ?? makeRange(session.isDemo ? '30d' : '24h', here);
    const mode =
      asked.mode === 'live' || asked.mode === 'test' ? asked.mode : session.isDemo ? 'test' : 'live';
    const isTest = mode === 'test';
    const currency = isStoredCurrency(asked.show) ? asked.show : '';
    const buckets = makeBuckets(range, here);
    const since = new Date(now.getTime() - usualMs);
    const originQuery = readOriginQuery(asked);
    const { from, to } = range.span;
    const newestLooked = { before: null, lookAtMost: newestLookAtMost };
    const [rows, rowsBefore, refunds, origins, hosts, refused, hooks, silence, newest, done] =
      await Promise.all([
        deps.ask(teamId, (sql) => readOrderFigures(sql, teamId, { buckets, isTest, currency })),
        deps.ask(teamId, (sql) =>
          readOrderFigures(sql, teamId, { buckets: [range.before], isTest, currency: '' }),
        ),
        deps.ask(teamId, (sql) => sumRefunds(sql, teamId, { since: from, until: to, isTest })),
        deps.ask(teamId, (sql) => readOrigins(sql, teamId, { span: range.span, isTest, ...originQuery })),
        deps.ask(teamId, (sql) => listOrderHosts(sql, teamId, { since, isTest })),
        c.var.sumRefused(),
        deps.ask(teamId, (sql) => listHooks(sql, teamId)),
        isTest ? null : deps.ask(teamId, (sql) => readShownSilence(sql, { teamId, now })),
        deps.ask(teamId, (sql) =>
          pageOrders(sql, teamId, { isTest }, { ...newestLooked, limit: newestAtMost }),
        ),
        deps.ask(teamId, (sql) => readDoneSteps(sql, teamId)),
      ]);
    const lastLooked =
      newest.length === 0
        ? await deps.ask(teamId, (sql) => findLookedAt(sql, teamId, newestLooked))
        : undefined;
    return renderPage(
      c,
      <Overview
        now={now}
        asked={asked}
        range={range}
        note={note}
        isRefused={note !== null && chosen === null}
        mode={mode}
        currency={currency}
        refused={refused[0]?.reports ?? 0}
        hooks={hooks}
        silence={silence}
        newest={newest}
        isNewestPartial={lastLooked !== undefined}
        done={done}
        demoTeamId={session.isDemo ? encodeId('team', teamId) : null}
        origins={origins}
        originQuery={originQuery}
        figures={arrangeFigures(buckets, rows)}
        before={arrangeFigures([range.before], rowsBefore)}
        refunds={refunds}
        hosts={hosts.map((row) => ({
          ...row,
          usualPerHour: row.orders / (Math.max(dayMs, now.getTime() - row.firstOrderAt.getTime()) / hourMs),
        }))}
      />,
      {
        title: 'Overview',
        here: 'Overview',
        scripts: ['uPlot.iife.min.js', 'chart.js', 'live.js', 'liveFigures.js'],
      },
    );
  };
}
