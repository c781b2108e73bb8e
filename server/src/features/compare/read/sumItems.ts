import { addDecimals, plainDecimal } from '../../../values/decimal.js';
import type { FileOrder, ReadRow } from './fileOrder.js';

/**
 * Adds up the lines of each order, in a file with a line for each item. The lines may be anywhere in the file, so all
 * orders are kept in memory, and yielded after the last line. An order with an unreadable line is left out, because its
 * sum is unknown.
 */
export async function* sumItems(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow> {
  const orders = new Map<string, FileOrder | null>();
  for await (const row of rows) {
    if (row.kind === 'order') {
      const { order } = row;
      const known = orders.get(order.orderId);
      if (known) orders.set(order.orderId, { ...known, amount: add(known.amount!, order.amount!) });
      else if (known === undefined) orders.set(order.orderId, order);
      continue;
    }
    if (row.kind === 'unread' && row.orderId !== null) orders.set(row.orderId, null);
    yield row;
  }
  for (const order of orders.values()) if (order) yield { kind: 'order', order };
}

function add(one: string, other: string): string {
  return plainDecimal(Number(addDecimals(one, other)));
}
