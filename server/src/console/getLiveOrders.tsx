import type { Handler } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ShownOrderRow } from '../sql/pageOrders.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { createLiveOrders, type Watcher } from './liveOrders.js';
import { readOrderQuery } from './orderQuery.js';
import { OrderRow } from './orderRows.js';

/** A connection that carries nothing for 60 s is cut, here and by most proxies. */
const keepAliveMs = 15_000;
/** A browser tries again after this; 200 pages at once are no flood then. */
const retryMs = 2_000;

/**
 * `GET /console/live`: lines of the list as server-sent events (HTML standard, section 9.2), each event with
 * what is new or has changed. The id of an event is the time up to which the page has been told.
 */
export function getLiveOrders({ ask, isStopping, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  const live = createLiveOrders(ask, isStopping);

  return function getLiveOrders(c) {
    const session = c.get('session');
    const reader = c.get('reader');
    const base = basePath(publicUrl());
    const { mode, by } = readOrderQuery(c.req.query());
    const since = Number(c.req.header('last-event-id') ?? c.req.query('since') ?? Number.NaN);
    const waiting: string[] = [];
    let isEnded = false;
    let wake = () => {};

    const watcher: Watcher = {
      teamId: session.teamId,
      sessionHash: session.hash,
      isTest: mode === 'all' ? undefined : mode === 'test',
      sinceMs: Number.isSafeInteger(since) && since >= 0 ? Math.min(since, Date.now()) : Date.now(),
      tell(orders) {
        const mine = orders.filter(({ reportedBy }) => by === 'anyone' || reportedBy === by);
        if (mine.length === 0) return;
        // A page that takes nothing connects anew, and is told then.
        if (waiting.length >= 5) return watcher.end();
        waiting.push(toRows(mine));
        wake();
      },
      end() {
        isEnded = true;
        wake();
      },
    };
    const toRows = (orders: readonly ShownOrderRow[]) =>
      orders.map((order) => String(<OrderRow order={order} base={base} reader={reader} />)).join('');

    live.watch(watcher);
    for (const [name, value] of Object.entries(c.get('headers'))) c.header(name, value);
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => watcher.end());
      const comments = setInterval(() => void stream.write(':\n\n'), keepAliveMs);
      try {
        await stream.writeSSE({ event: 'hello', data: '', retry: retryMs });
        while (!isEnded) {
          const rows = waiting.shift();
          if (rows !== undefined) {
            await stream.writeSSE({ event: 'orders', id: String(Date.now()), data: rows });
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
