import type { InTurn } from '../../database/turns.js';
import { isSameAmount } from '../../values/currency.js';
import type { Uuid } from '../../values/ids.js';
import {
  type ComparedOrder,
  findByKey,
  findByOrderId,
  type OrderCursor,
  pageByTime,
} from './comparedOrders.js';
import {
  beginComparison,
  type Comparison,
  countDifference,
  countLeftOut,
  type Difference,
  widen,
} from './comparison.js';
import type { FileOrder } from './fileOrder.js';
import type { OrderFile } from './openOrderFile.js';

/** The world that is compared with a file. */
export interface ComparedWorld {
  teamId: Uuid;
  isTest: boolean;
}

/** Tells if a stored order is one of the file's. */
export type IsInFile = (order: Pick<ComparedOrder, 'id' | 'orderId'>) => boolean;

/** A comparison that goes on while its differences are asked for. Then the outcome is complete. */
export interface RunningComparison {
  outcome: Comparison;
  differences: AsyncGenerator<Difference>;
  isInFile: IsInFile;
}

const batchRows = 500;
const pageRows = 2_000;

/**
 * Compares the orders of a file with those that are stored, by order id and by payment, as the file arrives. Holds one batch
 * of rows in memory, and of each order its id and money. Each statement is short, and none waits for the file.
 */
export function compareOrders(inTurn: InTurn, world: ComparedWorld, file: OrderFile): RunningComparison {
  const outcome = beginComparison(file);
  /** The money of each order of the file, by its id. */
  const moneyOf = new Map<string, string>();
  /** Stored orders that the file has under another id. */
  const storedInFile = new Set<Uuid>();
  const isInFile: IsInFile = ({ id, orderId }) =>
    (orderId !== null && moneyOf.has(orderId)) || storedInFile.has(id);
  return { outcome, differences: countAll(), isInFile };

  async function* countAll(): AsyncGenerator<Difference> {
    const first = { missing: null as string | null, onlyHere: null as string | null };
    for await (const found of findAll()) {
      countDifference(outcome, found);
      if (found.kind === 'missing') first.missing ??= found.order.orderId;
      if (found.kind === 'onlyHere') first.onlyHere ??= found.here.orderId;
      yield found;
    }
    const isNoneKnown = outcome.equal + outcome.different === 0;
    if (isNoneKnown && first.missing !== null && first.onlyHere !== null)
      outcome.otherIds = { inFile: first.missing, here: first.onlyHere };
  }

  async function* findAll(): AsyncGenerator<Difference> {
    let batch: FileOrder[] = [];
    for await (const row of file.rows) {
      if (row.kind === 'unread') {
        if (row.orderId !== null && !moneyOf.has(row.orderId)) moneyOf.set(row.orderId, '');
        yield { kind: 'unread', unread: row.unread };
      } else if (row.kind !== 'order') countLeftOut(outcome, row);
      else {
        const { orderId, amount, currency, line } = row.order;
        const money = `${amount} ${currency}`;
        const known = moneyOf.get(orderId);
        if (known === undefined) {
          moneyOf.set(orderId, money);
          outcome.orders++;
          widen(outcome, row.order);
          batch.push(row.order);
        } else if (known !== money) {
          const message = 'another line of this order has another amount, currency or status';
          yield { kind: 'unread', unread: { line, orderId, message } };
        }
      }
      if (batch.length < batchRows) continue;
      yield* compareBatch(batch);
      batch = [];
    }
    yield* compareBatch(batch);
    yield* findOnlyHere();
  }

  async function* compareBatch(orders: readonly FileOrder[]): AsyncGenerator<Difference> {
    if (orders.length === 0) return;
    const stored = await findStored(inTurn, world, orders);
    for (const [index, order] of orders.entries()) {
      const here = stored[index];
      if (!here) {
        yield { kind: 'missing', order };
        continue;
      }
      if (here.orderId !== order.orderId) storedInFile.add(here.id);
      if (isEqual(order, here)) outcome.equal++;
      else yield { kind: 'different', order, here };
    }
  }

  /** Finds the stored orders within the file's dates that the file has not. */
  async function* findOnlyHere(): AsyncGenerator<Difference> {
    const { since, until, orders } = outcome;
    const hasDates = file.columns.at.createdAt.length > 0;
    if (orders === 0 || (hasDates && since === null)) return;
    for (let after: OrderCursor | null = null; ; ) {
      const range = { isTest: world.isTest, since, until, after, limit: pageRows };
      const page: ComparedOrder[] = await inTurn(world.teamId, (sql) => pageByTime(sql, world.teamId, range));
      for (const here of page) if (!isInFile(here)) yield { kind: 'onlyHere', here };
      if (page.length < pageRows) return;
      after = page.at(-1)!;
    }
  }
}

/** Finds the stored order of each order of a file: by its id, else by a key; undefined for none. */
async function findStored(
  inTurn: InTurn,
  { teamId, isTest }: ComparedWorld,
  orders: readonly FileOrder[],
): Promise<(ComparedOrder | undefined)[]> {
  const found: (ComparedOrder | undefined)[] = new Array(orders.length);
  const ids = orders.map(({ orderId }, index) => ({ index, id: orderId }));
  for (const row of await inTurn(teamId, (sql) => findByOrderId(sql, teamId, isTest, ids)))
    found[row.index] = row;
  const keys = orders.flatMap(({ keys }, index) => (found[index] ? [] : keys.map((id) => ({ index, id }))));
  if (keys.length === 0) return found;
  for (const row of await inTurn(teamId, (sql) => findByKey(sql, teamId, isTest, keys)))
    found[row.index] ??= row;
  return found;
}

function isEqual({ amount, currency }: FileOrder, here: ComparedOrder): boolean {
  // Both are exact decimals that a number holds.
  const isSame = amount === null || isSameAmount(Number(amount), Number(here.amount), here.currency);
  return isSame && (currency === null || currency === here.currency);
}
