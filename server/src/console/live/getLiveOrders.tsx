import type { Handler } from 'hono';
import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import { streamSSE } from 'hono/streaming';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { orderParameters, readOrderQuery } from '../orders/orderQuery.js';
import { OrderRow } from '../orders/orderRows.js';
import { RefusedLine } from '../refused/refusedTable.js';
import type { Subscriber } from './liveFeed.js';
import { createLiveOrders } from './liveOrders.js';

/** This server and most proxies cut a connection that carries nothing for 60 s. */
const keepAliveMs = 15_000;
/** A browser connects again after this, so that 200 pages do not flood the server. */
const retryMs = 2_000;
/** A page that does not read its events is let go. It connects again and catches up. */
const eventsWaiting = 10;

/**
 * `GET /console/live`: rows of the lists as server-sent events (HTML standard, section 9.2). Each event holds new and
 * changed orders, or new refused reports. The id of an event is a time: the page has everything that is older.
 */
export function getLiveOrders({ ask, clock, isStopping }: ConsoleDeps): Handler<ConsoleEnv> {
  const subscribe = createLiveOrders(ask, clock, isStopping);

  return function getLiveOrders(c) {
    const { session } = c.var;
    requireTeamOfPage(c.req.query('team'), encodeId('team', session.teamId));
    const here = { now: new Date(clock.nowMs()), zone: c.var.viewer.zone };
    const query = readOrderQuery(c.req.query(), here);
    const { mode, by, range } = query;
    const from = orderParameters(query);
    const since = Number(c.req.header('last-event-id') ?? c.req.query('since') ?? Number.NaN);
    const waiting: { event: string; data: string }[] = [];
    let isEnded = false;
    let wake = () => {};

    function add(event: 'orders' | 'refused', rows: Child[]) {
      if (rows.length === 0) return;
      // The page may have been opened yesterday.
      c.set('viewer', { ...c.var.viewer, now: new Date(clock.nowMs()) });
      waiting.push({
        event,
        data: String(<RequestContext.Provider value={c}>{rows}</RequestContext.Provider>),
      });
    }

    const subscriber: Subscriber = {
      teamId: session.teamId,
      sessionHash: session.hash,
      isTest: mode === 'all' ? undefined : mode === 'test',
      reportedBy: by === 'anyone' ? undefined : by,
      sinceMs: Number.isSafeInteger(since) && since >= 0 ? Math.min(since, clock.nowMs()) : clock.nowMs(),
      send({ orders, refused }) {
        if (waiting.length >= eventsWaiting) return subscriber.end();
        add(
          'orders',
          orders
            // One that is stored late may have been made before the range.
            .filter(({ createdAt }) => range === null || createdAt >= range.span.from)
            .map((order) => <OrderRow order={order} from={from} />),
        );
        // Whatever the mode: a refused report does not say whether its order would be a test.
        add(
          'refused',
          refused
            .filter(({ keyHash }) => by === 'anyone' || by === (keyHash === null ? 'browser' : 'key'))
            .map((entry) => <RefusedLine entry={entry} />),
        );
        wake();
      },
      end() {
        isEnded = true;
        // Here, because the loop below may be waiting for a page that does not read.
        clearInterval(comments);
        unsubscribe();
        wake();
      },
    };

    let comments: NodeJS.Timeout | undefined;
    const unsubscribe = subscribe(subscriber);
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => subscriber.end());
      comments = setInterval(() => void stream.write(':\n\n'), keepAliveMs).unref();
      try {
        await stream.writeSSE({ event: 'hello', data: '', retry: retryMs });
        while (!isEnded) {
          const next = waiting.shift();
          if (next) {
            await stream.writeSSE({ ...next, id: String(clock.nowMs()) });
            continue;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        subscriber.end();
      }
    });
  };
}

/** Throws `not_found` for a page of another team: the browser has switched since it was made. */
function requireTeamOfPage(asked: string | undefined, current: string): void {
  if (asked !== undefined && asked !== current) {
    throw new ApiError('not_found', { message: 'This browser now looks at another team.' });
  }
}
