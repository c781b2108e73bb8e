import type { Identifier } from '../../../core/orders/merge/statement.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';

/**
 * Finds the mode of the order that has one of these provider ids. Resolves with true for test, false for live, and undefined if no
 * order has one, or orders of both modes have.
 */
export async function findModeOf(
  sql: Sql,
  teamId: Uuid,
  names: readonly Identifier[],
): Promise<boolean | undefined> {
  const values = names.map(({ value }) => value);
  const rows = await sql<{ isTest: boolean }[]>`/* findModeOf */
    select distinct is_test as "isTest" from order_key
    where team_id = ${teamId} and key = ${anyOf(sql, values)} and kind = 'provider' and placed_order_id is not null`;
  return rows.length === 1 ? rows[0]!.isTest : undefined;
}
