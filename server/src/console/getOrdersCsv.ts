import { Readable } from 'node:stream';
import type { Handler } from 'hono';
import { toListedOrder } from '../orders/listedOrder.js';
import { orderCsvHeading, orderCsvLines } from '../orders/orderCsv.js';
import { byteOrderMark } from '../values/text.js';
import type { ConsoleDeps, ConsoleEnv } from './context.js';
import { readOrderQuery, toSelection } from './orderQuery.js';
import { findLookedAt, type OrderCursor, pageWholeOrders } from './sql/shownOrders.js';

/** Number of orders of one statement, and in memory. */
const batchOrders = 1000;
/** Orders that become lines before other requests have their turn. */
const ordersOfPiece = 50;
/** Orders that one statement looks at for those that match. */
const lookAtMost = 20_000;

/**
 * `GET /console/orders.csv`: every order that the page's filters and search select, from its place on. Each batch
 * is a statement of its own, so a slow download holds no connection to the database.
 */
export function getOrdersCsv({ ask, secret, clock }: ConsoleDeps): Handler<ConsoleEnv> {
  return function getOrdersCsv(c) {
    const { teamId } = c.var.session;
    const query = readOrderQuery(c.req.query());
    const selection = toSelection(query, secret, teamId);

    /** Reads a batch of orders, and where the next one begins; undefined at the end. */
    async function read(before: OrderCursor | null) {
      const place = { before, lookAtMost };
      const limit = batchOrders;
      const orders = await ask((sql) => pageWholeOrders(sql, teamId, selection, { ...place, limit }));
      if (orders.length === limit) return { orders, next: orders.at(-1) };
      // A search has looked at all that it finds.
      if (selection.search) return { orders, next: undefined };
      return { orders, next: await ask((sql) => findLookedAt(sql, teamId, place)) };
    }

    async function* lines() {
      yield byteOrderMark + orderCsvHeading();
      let place: OrderCursor | null | undefined = query.before;
      while (place !== undefined) {
        const { orders, next }: Awaited<ReturnType<typeof read>> = await read(place);
        // In pieces: the lines of 1,000 orders with many items would hold up all other requests.
        for (let at = 0; at < orders.length; at += ordersOfPiece) {
          yield orderCsvLines(orders.slice(at, at + ordersOfPiece).map(toListedOrder));
        }
        place = next;
      }
    }

    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    // Not by Hono's `stream`, which ends an answer that failed halfway as if it were complete.
    const body = Readable.toWeb(Readable.from(lines())) as ReadableStream;
    return c.body(body, 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="orders-${day}.csv"`,
    });
  };
}
