import type { InTurn } from '../../../database/turns.js';
import { isSameAmount } from '../../../values/currency.js';
import { addDecimals } from '../../../values/decimal.js';
import type { Uuid } from '../../../values/ids.js';
import type { FileOrder } from '../read/fileOrder.js';
import { type ComparedOrder, findByKey, findByOrderId, type NumberedOrder } from './comparedOrders.js';
import type { Difference } from './comparison.js';

/** An order of a file. `isFurther` is set if an earlier row has its order id with another payment. */
export interface Numbered {
  order: FileOrder;
  isFurther: boolean;
}

/** The match of a file's order with a stored one. */
export type Match =
  | { kind: 'equal'; here: ComparedOrder }
  | Extract<Difference, { kind: 'missing' | 'different' }>;

/**
 * A stored order, and payments of the file with its order id that do not equal it on their own. Only after the last row can `rest`
 * decide which of them the stored order is.
 */
interface Held {
  here: ComparedOrder;
  payments: { order: FileOrder; isByKey: boolean }[];
}

/**
 * Creates the functions that match the orders of one file with the stored ones, by payment or else by order id.
 *
 * Several payments of a file may have one order id. The stored order with this id is then one of them, or the sum of all; the other
 * payments are missing orders. That is known after the last row, so `rest` returns these payments.
 */
export function createMatchOrders(inTurn: InTurn, { teamId, isTest }: { teamId: Uuid; isTest: boolean }) {
  const held = new Map<Uuid, Held>();
  /** Stored orders that are matched with one payment of the same amount. */
  const taken = new Set<Uuid>();
  return { match, rest };

  async function match(numbered: readonly Numbered[]): Promise<Match[]> {
    const found = await findStored(numbered.map(({ order }) => order));
    return numbered.flatMap(({ order, isFurther }, index) => {
      const { byId, byKey } = found[index]!;
      const isByKey =
        byKey !== undefined && (!byId || byKey.orderId === null || byKey.orderId === order.orderId);
      const here = isByKey ? byKey : byId;
      if (!here) return { kind: 'missing', order: isFurther ? asPayment(order) : order };
      const isSame = isEqual(order, here);
      if (order.payment === null)
        return isSame ? { kind: 'equal', here } : { kind: 'different', order, here };
      // If the stored order has neither payment id nor `Idempotency-Key`, no later row can be its payment.
      const isIt = isSame && (isByKey || !(taken.has(here.id) || byId!.hasKey));
      if (isIt) taken.add(here.id);
      else hold(here, { order, isByKey });
      return isIt ? { kind: 'equal', here } : [];
    });
  }

  function hold(here: ComparedOrder, payment: Held['payments'][number]): void {
    const known = held.get(here.id);
    if (known) known.payments.push(payment);
    else held.set(here.id, { here, payments: [payment] });
  }

  function* rest(): Generator<Match> {
    for (const { here, payments } of held.values()) {
      const isTaken = taken.has(here.id);
      if (
        !isTaken &&
        isSumEqual(
          payments.map(({ order }) => order),
          here,
        )
      ) {
        for (const _ of payments) yield { kind: 'equal', here };
        continue;
      }
      const owner = isTaken ? undefined : ownerOf(payments, here);
      for (const { order, isByKey } of payments) {
        if (order === owner && isEqual(order, here)) yield { kind: 'equal', here };
        else if (order === owner || isByKey) yield { kind: 'different', order, here };
        else yield { kind: 'missing', order: asPayment(order) };
      }
    }
  }

  async function findStored(orders: readonly FileOrder[]) {
    const found: { byId?: NumberedOrder; byKey?: ComparedOrder }[] = orders.map(() => ({}));
    const ids = orders.map(({ orderId }, index) => ({ index, id: orderId }));
    for (const row of await inTurn(teamId, (sql) => findByOrderId(sql, teamId, isTest, ids)))
      found[row.index]!.byId = row;
    const keys = orders.flatMap(({ keys, payment }, index) =>
      [...new Set([...keys, ...(payment === null ? [] : [payment])])].map((id) => ({ index, id })),
    );
    if (keys.length === 0) return found;
    for (const row of await inTurn(teamId, (sql) => findByKey(sql, teamId, isTest, keys)))
      found[row.index]!.byKey ??= row;
    return found;
  }
}

/**
 * Chooses, among payments with one order id, the payment that is the stored order. It is the one found by its payment id, or else
 * one with the stored amount, or else the first.
 */
function ownerOf(payments: Held['payments'], here: ComparedOrder): FileOrder | undefined {
  const owner =
    payments.find(({ isByKey }) => isByKey) ??
    payments.find(({ order }) => isEqual(order, here)) ??
    payments[0];
  return owner?.order;
}

/** Returns the order with its payment as the order id, because another payment has its order id. */
function asPayment(order: FileOrder): FileOrder {
  const payment = order.payment ?? order.orderId;
  return { ...order, orderId: payment, keys: [payment, ...order.keys.filter((key) => key !== payment)] };
}

/** @returns true if the payments together are the order's amount, such as a deposit and the rest */
function isSumEqual(orders: readonly FileOrder[], here: ComparedOrder): boolean {
  if (
    orders.length < 2 ||
    orders.some(({ amount, currency }) => amount === null || !isSameCurrency(currency, here))
  )
    return false;
  const sum = orders.reduce((all, { amount }) => addDecimals(all, amount!), '0');
  return isSameAmount(Number(sum), Number(here.amount), here.currency);
}

function isEqual({ amount, currency }: FileOrder, here: ComparedOrder): boolean {
  // Both are exact decimals that a number holds.
  const isSame = amount === null || isSameAmount(Number(amount), Number(here.amount), here.currency);
  return isSame && isSameCurrency(currency, here);
}

function isSameCurrency(currency: string | null, here: ComparedOrder): boolean {
  return currency === null || currency === here.currency;
}
