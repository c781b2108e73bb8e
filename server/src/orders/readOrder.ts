import type { PlacedOrder } from '@orderbeacon/sdk/contract';
import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import { addRefunds, findListed } from './addRefunds.js';
import { settleOrder } from './settleRefunds.js';

/** Reads an order with all that is stored of it; undefined for none. */
export async function readOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<PlacedOrder | undefined> {
  await settleOrder(sql, teamId, id);
  const row = await findListed(sql, teamId, id);
  return row && addRefunds(sql, teamId, row);
}
