import { addDecimals, plainDecimal } from '../../../values/decimal.js';
import type { FileOrder, ReadRow } from './fileOrder.js';

/**
 * Adds up the lines of each order of a file that has a line for each item, wherever they stand. Orders come when all lines
 * were read, so all of them are in memory. An order of which a line cannot be read is left out, because its sum is not known.
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
