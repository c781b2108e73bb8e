import type { InTurn } from '../../../database/turns.js';
import { isSameAmount } from '../../../values/currency.js';
import { addDecimals } from '../../../values/decimal.js';
import type { Uuid } from '../../../values/ids.js';
import type { FileOrder } from '../read/fileOrder.js';
import { type ComparedOrder, findByKey, findByOrderId, type NumberedOrder } from './comparedOrders.js';
import type { Difference } from './comparison.js';

/** An order of a file, and whether a row before has its order id with another payment. */
export interface Numbered {
  order: FileOrder;
  isFurther: boolean;
}

/** What became of an order of a file. */
export type Match =
  | { kind: 'equal'; here: ComparedOrder }
  | Extract<Difference, { kind: 'missing' | 'different' }>;

/** Payments that were found with a stored order and are not equal to it by themselves. */
interface Held {
  here: ComparedOrder;
  payments: { order: FileOrder; isByKey: boolean }[];
}

/**
 * Makes the functions that match the orders of one file with those that are stored: by payment, else by order id. Of several
 * payments with one order id one is the stored order, or all of them together; each other one is an order of its own. That is
 * known once all rows were matched, so `rest` has those payments.
 */
export function createMatchOrders(inTurn: InTurn, { teamId, isTest }: { teamId: Uuid; isTest: boolean }) {
  const held = new Map<Uuid, Held>();
  /** Stored orders that one payment is by itself. */
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
      // Without a key no later row can be found to be the payment of that order.
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

/** The payment that a stored order is: one that its key finds, else one of its amount, else the first. */
function ownerOf(payments: Held['payments'], here: ComparedOrder): FileOrder | undefined {
  const owner =
    payments.find(({ isByKey }) => isByKey) ??
    payments.find(({ order }) => isEqual(order, here)) ??
    payments[0];
  return owner?.order;
}

/** An order whose number is another payment's, so that its payment alone names it. */
function asPayment(order: FileOrder): FileOrder {
  const payment = order.payment ?? order.orderId;
  return { ...order, orderId: payment, keys: [payment, ...order.keys.filter((key) => key !== payment)] };
}

/** True for payments that are the amount of an order together, as a deposit and the rest are. */
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
