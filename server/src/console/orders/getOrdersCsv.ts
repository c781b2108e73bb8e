import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Handler } from 'hono';
import { toListedOrder } from '../../core/orders/answer/listedOrder.js';
import { orderCsvHeading, orderCsvLines } from '../../core/orders/answer/orderCsv.js';
import { ApiError } from '../../values/errors.js';
import { createSemaphore } from '../../values/semaphore.js';
import { byteOrderMark } from '../../values/text.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleEnv } from '../context.js';
import { dayOf, writeDay } from '../parts/calendar.js';
import { findLookedAt, type OrderCursor, pageWholeOrders } from '../sql/shownOrders.js';
import { lookAtMost } from './loadOrders.js';
import { readOrderQuery, toSelection } from './orderQuery.js';

/** Number of orders of one statement, and in memory. */
const batchOrders = 100;
/** Orders that become lines before other requests have their turn. The largest take some 0.3 ms each. */
const ordersOfPiece = 5;
/** Bytes that wait for a browser that reads slowly, or not at all. */
const waitingBytes = 65_536;
const oneDownload = 'Another download of this team is running; wait until it ends, or cancel it.';
export const oneOfTeam = { concurrent: Number.POSITIVE_INFINITY, concurrentPerKey: 1, waiting: 0 };

/**
 * `GET …/orders.csv`: every order that the page's filters, range and search select. Each batch is a statement of its own,
 * read when the browser has taken the one before. So a slow download holds no connection to the database, and little memory.
 * A team has one download at a time.
 */
export function getOrdersCsv({ inTurn, secret }: ConsoleDeps): Handler<ConsoleEnv> {
  const downloads = createSemaphore(oneOfTeam);

  return function getOrdersCsv(c) {
    const { isTest, session, viewer } = c.var;
    const { teamId } = session;
    const query = readOrderQuery(c.req.query(), viewer, isTest);
    // A file that lacks orders, or has more, would be taken for the one that was asked for.
    if (query.note && !query.range) throw new ApiError('invalid_request', { message: query.note });
    const selection = toSelection(query, secret, teamId);

    /** Reads a batch of orders, and where the next one begins; undefined at the end. */
    async function read(before: OrderCursor | null) {
      const place = { before, lookAtMost };
      const limit = batchOrders;
      const orders = await inTurn(teamId, (sql) =>
        pageWholeOrders(sql, teamId, selection, { ...place, limit }),
      );
      if (orders.length === limit) return { orders, next: orders.at(-1) };
      return {
        orders,
        next: await inTurn(teamId, (sql) => findLookedAt(sql, teamId, { ...place, span: selection.span })),
      };
    }

    async function* lines() {
      yield byteOrderMark + orderCsvHeading();
      let place: OrderCursor | null | undefined = null;
      while (place !== undefined) {
        const { orders, next }: Awaited<ReturnType<typeof read>> = await read(place);
        for (let at = 0; at < orders.length; at += ordersOfPiece) {
          await setImmediate();
          yield orderCsvLines(orders.slice(at, at + ordersOfPiece).map(toListedOrder));
        }
        place = next;
      }
    }

    const days = query.range
      ? `${writeDay(query.range.first)}-to-${writeDay(query.range.last)}`
      : writeDay(dayOf(viewer.now, viewer.zone));
    const release = downloads.tryAcquire(teamId);
    if (release === null) throw new ApiError('unavailable', { message: oneDownload });
    // Not by Hono's `stream`, which ends an answer that failed halfway as if it were complete.
    const file = Readable.from(lines(), { objectMode: false, highWaterMark: waitingBytes });
    file.once('close', release);
    return c.body(Readable.toWeb(file) as ReadableStream, 200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${isTest ? 'test-' : ''}orders-${days}.csv"`,
    });
  };
}
