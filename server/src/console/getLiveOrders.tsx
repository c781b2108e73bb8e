import type { Handler } from 'hono';
import { streamSSE } from 'hono/streaming';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { createLiveOrders, type LiveNews, type Watcher } from './liveOrders.js';
import { readOrderQuery } from './orderQuery.js';
import { OrderRow } from './orderRows.js';
import { RefusedLine } from './refusedRows.js';

/** A connection that carries nothing for 60 s is cut, here and by most proxies. */
const keepAliveMs = 15_000;
/** A browser tries again after this; 200 pages at once are no flood then. */
const retryMs = 2_000;

/**
 * `GET /console/live`: lines of the lists as server-sent events (HTML standard, section 9.2), each event with
 * the orders that are new or have changed, or with new refused reports. The id of an event is the time up to which the page has been told.
 */
export function getLiveOrders({ ask, isStopping, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  const live = createLiveOrders(ask, isStopping);

  return function getLiveOrders(c) {
    const session = c.get('session');
    const reader = c.get('reader');
    const base = basePath(publicUrl());
    const { mode, by } = readOrderQuery(c.req.query());
    const since = Number(c.req.header('last-event-id') ?? c.req.query('since') ?? Number.NaN);
    const waiting: { event: 'orders' | 'refused'; rows: string }[] = [];
    let isEnded = false;
    let wake = () => {};

    const watcher: Watcher = {
      teamId: session.teamId,
      sessionHash: session.hash,
      isTest: mode === 'all' ? undefined : mode === 'test',
      sinceMs: Number.isSafeInteger(since) && since >= 0 ? Math.min(since, Date.now()) : Date.now(),
      tell(news) {
        const mine = toMine(news);
        // A page that takes nothing connects anew, and is told then.
        if (waiting.length >= 10) return watcher.end();
        for (const [event, rows] of toRows(mine)) if (rows !== '') waiting.push({ event, rows });
        wake();
      },
      end() {
        isEnded = true;
        wake();
      },
    };
    const toMine = ({ orders, refused }: LiveNews): LiveNews => ({
      orders: orders.filter(({ reportedBy }) => by === 'anyone' || reportedBy === by),
      // Nobody can tell whether it would be a test.
      refused: refused.filter(
        ({ keyHash }) => by === 'anyone' || by === (keyHash === null ? 'browser' : 'key'),
      ),
    });
    const toRows = ({ orders, refused }: LiveNews) =>
      [
        [
          'orders',
          orders.map((order) => String(<OrderRow order={order} base={base} reader={reader} />)).join(''),
        ],
        [
          'refused',
          refused.map((entry) => String(<RefusedLine entry={entry} base={base} reader={reader} />)).join(''),
        ],
      ] as const;

    live.watch(watcher);
    for (const [name, value] of Object.entries(c.get('headers'))) c.header(name, value);
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => watcher.end());
      const comments = setInterval(() => void stream.write(':\n\n'), keepAliveMs);
      try {
        await stream.writeSSE({ event: 'hello', data: '', retry: retryMs });
        while (!isEnded) {
          const next = waiting.shift();
          if (next) {
            await stream.writeSSE({ event: next.event, id: String(Date.now()), data: next.rows });
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        clearInterval(comments);
        live.leave(watcher);
      }
    });
  };
}
