import type { Sql } from '../../../../database/connection/connect.js';
import { pairRows } from '../../../../database/pairRows.js';
import { anyOf } from '../../../../database/parameters.js';
import { newUuid, type Uuid } from '../../../../values/ids.js';
import type { Identifier } from '../statement.js';
import { selectOrders, selectWanted } from './loadNeighbours.js';

/** Orders and statements that the caller has loaded already. */
interface Known {
  orderIds: readonly Uuid[];
  objects: readonly string[];
  /** Objects that have no stored statement. */
  newObjects: readonly string[];
}

/**
 * @returns true if identifiers reach an order or a waiting statement that is not known, or if a new object was stored concurrently.
 *   It costs a small part of `loadNeighbours`. Most new orders of a shop have no statement yet, so this is enough for them.
 * @throws WrongAnswer if the answer is that of another search
 */
export async function reachesMore(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
  names: readonly Identifier[],
  { orderIds, objects, newObjects }: Known,
): Promise<boolean> {
  const isOther = (column: string) => sql`not ${sql(column)} = ${anyOf(sql, orderIds, 'uuid')}`;
  const search = newUuid();
  const rows = await sql<[{ isMore: boolean; search: Uuid }]>`/* reachesMore */
    with wanted as materialized (
      ${selectWanted(sql, names)}
    )
    select ${search}::uuid as search, exists (
      select from wanted cross join lateral (
        select placed_order_id, object from order_key
        where team_id = ${teamId} and key = wanted.value and is_test = ${isTest} and kind = wanted.kind offset 0
      ) k
      where case when placed_order_id is null then not object = ${anyOf(sql, objects)} else ${isOther('placed_order_id')} end
    ) or exists (
      select from (${selectOrders(sql, teamId, isTest)}) o where ${isOther('id')}
    ) or exists (
      select from statement
      where team_id = ${teamId} and is_test = ${isTest} and object = ${anyOf(sql, newObjects)}
    ) as "isMore"`;
  const [row] = pairRows([search], rows, (each) => each.search);
  return row!.isMore;
}
