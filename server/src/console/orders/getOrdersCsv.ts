import { setImmediate } from 'node:timers/promises';
import type { Handler } from 'hono';
import { orderCsvHeading, orderCsvLines } from '../../commands/orderCsv.js';
import { toListedOrder } from '../../core/orders/answer/listedOrder.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleEnv } from '../context.js';
import { findLookedAt, type OrderCursor, pageWholeOrders } from '../sql/shownOrders.js';
import type { DownloadCsv } from './downloadCsv.js';
import { lookAtMost } from './loadOrders.js';
import { readFileQuery, toSelection } from './orderQuery.js';

/** Number of orders that one statement reads and that are in memory. */
const batchOrders = 100;
/** Orders that are written before other requests have their turn. The largest orders take some 0.3 ms each. */
const ordersOfPiece = 5;

/**
 * Handles `GET …/orders.csv`: every order that the page's filters, range and search select. A statement reads each batch
 * when the browser has taken the batch before. So a slow download holds no connection to the database, and little memory.
 */
export function getOrdersCsv({ inTurn, secret }: ConsoleDeps, downloadCsv: DownloadCsv): Handler<ConsoleEnv> {
  return function getOrdersCsv(c) {
    const { teamId } = c.var.session;
    const query = readFileQuery(c);
    const selection = toSelection(query, secret, teamId);

    /** Reads a batch of orders, and the position of the next one; undefined at the end. */
    async function read(before: OrderCursor | null) {
      const position = { before, lookAtMost };
      const limit = batchOrders;
      const orders = await inTurn(teamId, (sql) =>
        pageWholeOrders(sql, teamId, selection, { ...position, limit }),
      );
      if (orders.length === limit) return { orders, next: orders.at(-1) };
      return {
        orders,
        next: await inTurn(teamId, (sql) => findLookedAt(sql, teamId, { ...position, span: selection.span })),
      };
    }

    async function* lines() {
      yield orderCsvHeading();
      let position: OrderCursor | null | undefined = null;
      while (position !== undefined) {
        const { orders, next }: Awaited<ReturnType<typeof read>> = await read(position);
        for (let at = 0; at < orders.length; at += ordersOfPiece) {
          await setImmediate();
          yield orderCsvLines(orders.slice(at, at + ordersOfPiece).map(toListedOrder));
        }
        position = next;
      }
    }

    return downloadCsv(c, { noun: 'orders', range: query.range, lines: lines() });
  };
}
