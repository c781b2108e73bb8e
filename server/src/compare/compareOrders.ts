import type { Sql } from '../database/connection/connect.js';
import { isSameAmount } from '../values/currency.js';
import type { Uuid } from '../values/ids.js';
import {
  type ComparedOrder,
  findByOrderId,
  findByPayment,
  type OrderPlace,
  pageByTime,
} from './comparedOrders.js';
import { beginComparison, type Comparison, countUnpaid, type Difference, widen } from './comparison.js';
import type { FileOrder, OrderFile } from './fileOrders.js';
import { createSeenTexts, type SeenTexts, shortHash } from './seenOrders.js';

/** Runs a statement on a connection of its own. */
export type RunStatement = <Result>(statement: (sql: Sql) => PromiseLike<Result>) => Promise<Result>;

/** The world that is compared with a file. */
export interface ComparedWorld {
  teamId: Uuid;
  isTest: boolean;
}

/** Tells if a stored order is one of the file's. */
export type IsInFile = (order: Pick<ComparedOrder, 'id' | 'orderId'>) => boolean;

const batchRows = 500;
const pageRows = 2_000;

/**
 * Compares the orders of a file with those that are stored, by order id and by payment, as the file arrives. Holds one batch
 * of rows and some bytes of each order in memory. Each statement is short, and none waits for the file.
 * @param onDifference waits until the difference is written
 * @param onProgress called with the number of rows so far
 */
export async function compareOrders(
  run: RunStatement,
  { teamId, isTest }: ComparedWorld,
  { columns, rows }: OrderFile,
  {
    onDifference,
    onProgress = () => {},
  }: { onDifference: (found: Difference) => Promise<void> | void; onProgress?: (rows: number) => void },
): Promise<{ comparison: Comparison; isInFile: IsInFile }> {
  const comparison = beginComparison(columns);
  const seen = createSeenTexts();
  const isInFile: IsInFile = ({ id, orderId }) =>
    (orderId !== null && seen.has(`order ${orderId}`)) || seen.has(`stored ${id}`);
  let firstMissing: string | null = null;
  let batch: FileOrder[] = [];
  let rowsRead = 0;

  for await (const row of rows) {
    onProgress(++rowsRead);
    switch (row.kind) {
      case 'order':
        if (!(await take(row.order))) break;
        batch.push(row.order);
        if (batch.length === batchRows) await compareBatch();
        break;
      case 'unread':
        if (row.orderId !== null) seen.add(`order ${row.orderId}`, 0);
        await tell({ kind: 'unread', unread: row.unread });
        break;
      case 'unpaid':
        countUnpaid(comparison.unpaid, row.status);
        break;
      case 'otherMode':
        comparison.otherMode++;
    }
  }
  await compareBatch();
  const firstOnlyHere = await findOnlyHere();
  const isNoneKnown = comparison.equal + comparison.different === 0;
  if (isNoneKnown && firstMissing !== null && firstOnlyHere !== null)
    comparison.otherIds = { inFile: firstMissing, here: firstOnlyHere };
  return { comparison, isInFile };

  async function tell(found: Difference): Promise<void> {
    comparison[found.kind]++;
    await onDifference(found);
  }

  /** Notes an order of the file. False for a further line of a known one. */
  async function take(order: FileOrder): Promise<boolean> {
    const money = shortHash(`${order.amount} ${order.currency}`);
    const known = seen.add(`order ${order.orderId}`, money);
    if (known !== undefined) {
      if (known !== money) {
        const message = 'another line of this order has another amount, currency or status';
        await tell({ kind: 'unread', unread: { line: order.line, orderId: order.orderId, message } });
      }
      return false;
    }
    comparison.orders++;
    widen(comparison, order);
    return true;
  }

  async function compareBatch(): Promise<void> {
    const orders = batch;
    batch = [];
    if (orders.length === 0) return;
    const stored = await findStored(run, { teamId, isTest }, orders, seen);
    for (const [at, order] of orders.entries()) {
      const here = stored[at];
      if (!here) {
        firstMissing ??= order.orderId;
        await tell({ kind: 'missing', order });
      } else if (isEqual(order, here)) comparison.equal++;
      else await tell({ kind: 'different', order, here });
    }
  }

  /** Tells of the stored orders within the file's dates that the file has not. Resolves with the first id of them. */
  async function findOnlyHere(): Promise<string | null> {
    const { since, until, orders } = comparison;
    const hasDates = columns.places.createdAt.length > 0;
    if (orders === 0 || (hasDates && since === null)) return null;
    let first: string | null = null;
    for (let after: OrderPlace | null = null; ; ) {
      const range = { isTest, since, until, after, limit: pageRows };
      const page: ComparedOrder[] = await run((sql) => pageByTime(sql, teamId, range));
      for (const here of page) {
        if (isInFile(here)) continue;
        first ??= here.orderId;
        await tell({ kind: 'onlyHere', here });
      }
      if (page.length < pageRows) return first;
      after = page.at(-1)!;
    }
  }
}

/** Finds the stored order of each order of a file; undefined for none. */
async function findStored(
  run: RunStatement,
  { teamId, isTest }: ComparedWorld,
  orders: readonly FileOrder[],
  seen: SeenTexts,
): Promise<(ComparedOrder | undefined)[]> {
  const found: (ComparedOrder | undefined)[] = new Array(orders.length);
  const ids = orders.map(({ orderId }) => orderId);
  for (const row of await run((sql) => findByOrderId(sql, teamId, isTest, ids))) found[row.place] = row;
  const left = [...orders.keys()].filter((at) => !found[at] && orders[at]!.paymentId !== null);
  if (left.length === 0) return found;
  const payments = left.map((at) => orders[at]!.paymentId!);
  for (const row of await run((sql) => findByPayment(sql, teamId, isTest, payments))) {
    found[left[row.place]!] = row;
    seen.add(`stored ${row.id}`, 0);
  }
  return found;
}

function isEqual({ amount, currency }: FileOrder, here: ComparedOrder): boolean {
  // Both are exact decimals that a number holds.
  const isSame = amount === null || isSameAmount(Number(amount), Number(here.amount), here.currency);
  return isSame && (currency === null || currency === here.currency);
}
