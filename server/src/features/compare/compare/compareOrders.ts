import type { InTurn } from '../../../database/turns.js';
import type { Uuid } from '../../../values/ids.js';
import type { OrderFile } from '../read/openOrderFile.js';
import { type ComparedOrder, type OrderCursor, pageByTime } from './comparedOrders.js';
import {
  beginComparison,
  type Comparison,
  countDifference,
  countLeftOut,
  type Difference,
} from './comparison.js';
import { createFileSpan } from './fileSpan.js';
import { createMatchOrders, type Match, type Numbered } from './matchOrders.js';

/** The team and the mode whose orders are compared with a file. */
export interface ComparedMode {
  teamId: Uuid;
  isTest: boolean;
}

/** The properties of a stored order by which it is found in the file. */
export type InFile = Pick<ComparedOrder, 'id' | 'orderId'>;

/** @returns true if a stored order is in the file */
export type IsInFile = (order: InFile) => boolean;

/** A running comparison. It proceeds as `differences` is read; after the last one, `outcome` is complete. */
export interface RunningComparison {
  outcome: Comparison;
  differences: AsyncGenerator<Difference>;
  isInFile: IsInFile;
}

const batchRows = 500;
const pageRows = 2_000;

/**
 * Compares a file's orders with the stored ones, by payment and by order id. Returns before it reads a row: the comparison proceeds as
 * the caller reads `differences`, while the file arrives. In memory it keeps one batch of rows, the id and money of each order, and the
 * payments that share an order id. Each query is short, and none waits for the file.
 */
export function compareOrders(inTurn: InTurn, mode: ComparedMode, file: OrderFile): RunningComparison {
  const outcome = beginComparison(file);
  const span = createFileSpan();
  const { match, rest } = createMatchOrders(inTurn, mode);
  /** Money of each order of the file, by its order id, and with a payment also by order id and payment. */
  const moneyOf = new Map<string, string>();
  /** Stored orders that the file has under another order id. */
  const storedInFile = new Set<Uuid>();
  /** Time of the latest stored order that is in the file. */
  let lastInFile: Date | null = null;
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
    let batch: Numbered[] = [];
    for await (const row of file.rows) {
      if (row.kind === 'unread') {
        if (row.orderId !== null && !moneyOf.has(row.orderId)) moneyOf.set(row.orderId, '');
        yield { kind: 'unread', unread: row.unread };
      } else if (row.kind !== 'order') countLeftOut(outcome, row);
      else {
        const { orderId, payment, amount, currency, line } = row.order;
        const money = `${amount} ${currency}`;
        const name = payment === null ? orderId : `${orderId}\n${payment}`;
        const known = moneyOf.get(name);
        if (known === undefined) {
          const isFurther = Boolean(moneyOf.get(orderId));
          moneyOf.set(name, money);
          if (!isFurther) moneyOf.set(orderId, money);
          outcome.orders++;
          span.add(row.order);
          batch.push({ order: row.order, isFurther });
        } else if (known !== money) {
          const message = 'another line of this order has another amount, currency or status';
          yield { kind: 'unread', unread: { line, orderId, message } };
        }
      }
      if (batch.length < batchRows) continue;
      yield* count(await match(batch));
      batch = [];
    }
    if (batch.length > 0) yield* count(await match(batch));
    yield* count(rest());
    yield* findOnlyHere();
  }

  function* count(matches: Iterable<Match>): Generator<Difference> {
    for (const found of matches) {
      if (found.kind !== 'missing') {
        const { id, orderId, createdAt } = found.here;
        if (orderId === null || !moneyOf.has(orderId)) storedInFile.add(id);
        if (lastInFile === null || createdAt > lastInFile) lastInFile = createdAt;
      }
      if (found.kind === 'equal') outcome.equal++;
      else yield found;
    }
  }

  /** Finds the stored orders within the file's dates that are not in the file. */
  async function* findOnlyHere(): AsyncGenerator<Difference> {
    const { since, until, lastDay } = span.read();
    Object.assign(outcome, { since, until });
    const hasDates = file.columns.at.createdAt.length > 0;
    if (outcome.orders === 0 || (hasDates && since === null)) return;
    const isLater = ({ createdAt }: ComparedOrder) =>
      lastDay !== null && createdAt >= lastDay && lastInFile !== null && createdAt > lastInFile;
    for (let after: OrderCursor | null = null; ; ) {
      const range = { isTest: mode.isTest, since, until, after, limit: pageRows };
      const page: ComparedOrder[] = await inTurn(mode.teamId, (sql) => pageByTime(sql, mode.teamId, range));
      for (const here of page) {
        if (isInFile(here)) continue;
        if (isLater(here)) outcome.later++;
        else yield { kind: 'onlyHere', here };
      }
      if (page.length < pageRows) return;
      after = page.at(-1)!;
    }
  }
}
