import type { Handler } from 'hono';
import { countWaiting } from '../refused/sql/listRefused.js';
import { isStoredCurrency } from '../values/currency.js';
import { makeBuckets, type Range, ranges } from './buckets.js';
import type { ConsoleDeps, ConsoleEnv } from './context.js';
import { renderPage } from './layout.js';
import { readOriginQuery } from './orderOrigins.js';
import { Overview } from './overview.js';
import { arrangeFigures } from './overviewFigures.js';
import { listOrderHosts, readOrderFigures } from './sql/orderFigures.js';
import { readOrigins } from './sql/originSums.js';

const dayMs = 86_400_000;
/** The usual rate of a host is that of the last 7 days. */
const usualMs = 7 * dayMs;
/** The earliest bucket of the longest range begins before this, whatever the time zone. */
const summedMs = 32 * dayMs;

/** `GET /console`: orders and money of a range, by who reported them, and the hosts that they came from. */
export function getOverview(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOverview(c) {
    const { session, viewer } = c.var;
    const now = new Date(deps.clock.nowMs());
    const asked = c.req.query();
    const range = Object.hasOwn(ranges, asked.range ?? '') ? (asked.range as Range) : '24h';
    const mode =
      asked.mode === 'live' || asked.mode === 'test' ? asked.mode : session.isDemo ? 'test' : 'live';
    const isTest = mode === 'test';
    const currency = isStoredCurrency(asked.show) ? asked.show : '';
    const buckets = makeBuckets(range, viewer.zone, now);
    const summedFrom = await deps.keepSums(session.teamId, new Date(now.getTime() - summedMs));
    const since = new Date(now.getTime() - usualMs);
    const originQuery = readOriginQuery(asked);
    const [rows, origins, hosts, refused] = await Promise.all([
      deps.ask((sql) => readOrderFigures(sql, session.teamId, { buckets, isTest, currency })),
      deps.ask((sql) =>
        readOrigins(sql, session.teamId, { since: buckets[0]!.from, isTest, ...originQuery }),
      ),
      deps.ask((sql) => listOrderHosts(sql, session.teamId, { since, isTest })),
      deps.ask((sql) => countWaiting(sql, session.teamId)),
    ]);
    return renderPage(
      c,
      <Overview
        now={now}
        range={range}
        mode={mode}
        currency={currency}
        refused={refused}
        origins={origins}
        originQuery={originQuery}
        figures={arrangeFigures(buckets, rows)}
        hosts={hosts.map((row) => ({
          ...row,
          usualPerHour: row.orders / (usualMs / 3_600_000),
        }))}
        countedFrom={summedFrom > buckets[0]!.from ? summedFrom : null}
      />,
      { title: 'Overview', here: 'Overview', scripts: ['uPlot.iife.min.js', 'chart.js'] },
    );
  };
}
