import type { Sql } from '../database/connection/connect.js';
import { toListedOrder } from '../orders/listedOrder.js';
import { orderCsvHeading, orderCsvLines } from '../orders/orderCsv.js';
import { listOrders, type OrderFilter } from '../orders/sql/listOrders.js';
import type { Uuid } from '../values/ids.js';
import type { ExportOptions } from './exportOptions.js';
import { type CommandIo, print } from './io.js';

/** Rows in memory at a time. */
export const batchRows = 1000;

/**
 * Writes a team's orders to stdout, the newest first, in batches and no faster than stdout accepts them. NDJSON has
 * every value as it is stored. For CSV see `orderCsvLines`.
 * @param options.excel CSV with a byte order mark, and with the ids of pages and backends as text
 * @param onProgress called with the number of orders written so far
 */
export async function exportOrders(
  io: CommandIo,
  sql: Sql,
  teamId: Uuid,
  filter: OrderFilter,
  { format, excel = false }: ExportOptions,
  onProgress: (orders: number) => void,
): Promise<number> {
  if (format === 'csv') await print(io, orderCsvHeading(excel));
  let written = 0;
  for await (const rows of listOrders(sql, teamId, filter).cursor(batchRows)) {
    const orders = rows.map(toListedOrder);
    await print(
      io,
      format === 'csv'
        ? orderCsvLines(orders, excel)
        : orders.map((order) => `${JSON.stringify(order)}\n`).join(''),
    );
    written += orders.length;
    onProgress(written);
  }
  return written;
}
