import type { Handler } from 'hono';
import { streamSSE } from 'hono/streaming';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { createLiveOrders, type LiveUpdate, type Subscriber } from './liveOrders.js';
import { readOrderQuery } from './orderQuery.js';
import { OrderRow } from './orderRows.js';
import { RefusedLine } from './refusedRows.js';

/** This server and most proxies cut a connection that carries nothing for 60 s. */
const keepAliveMs = 15_000;
/** A browser connects again after this, so that 200 pages do not flood the server. */
const retryMs = 2_000;

/**
 * `GET /console/live`: rows of the lists as server-sent events (HTML standard, section 9.2). Each event holds new and
 * changed orders, or new refused reports. The id of an event is a time: the page has everything that is older.
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

    const subscriber: Subscriber = {
      teamId: session.teamId,
      sessionHash: session.hash,
      isTest: mode === 'all' ? undefined : mode === 'test',
      sinceMs: Number.isSafeInteger(since) && since >= 0 ? Math.min(since, Date.now()) : Date.now(),
      send(update) {
        const mine = toMine(update);
        // A page that reads nothing connects again, and gets it then.
        if (waiting.length >= 10) return subscriber.end();
        for (const [event, rows] of toRows(mine)) if (rows !== '') waiting.push({ event, rows });
        wake();
      },
      end() {
        isEnded = true;
        wake();
      },
    };
    const toMine = ({ orders, refused }: LiveUpdate): LiveUpdate => ({
      orders: orders.filter(({ reportedBy }) => by === 'anyone' || reportedBy === by),
      // Nobody knows whether its order would be a test.
      refused: refused.filter(
        ({ keyHash }) => by === 'anyone' || by === (keyHash === null ? 'browser' : 'key'),
      ),
    });
    const toRows = ({ orders, refused }: LiveUpdate) =>
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

    live.subscribe(subscriber);
    for (const [name, value] of Object.entries(c.get('headers'))) c.header(name, value);
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => subscriber.end());
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
        live.unsubscribe(subscriber);
      }
    });
  };
}
