import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** The three steps to a first order of a world, live or test, each true once it is done. */
export interface DoneSteps {
  hasDomain: boolean;
  /** A page with the tag has reported, stored or refused. */
  hasTag: boolean;
  hasOrder: boolean;
}

/** Newest orders of both worlds among which one of either is looked for. */
const ordersRead = 2_000;

/**
 * Reads which steps of setting up a team's shop are done, for live or for test orders. Looks up a few rows, whatever the tables
 * hold: where 2,000 orders of the other world came last, an order counts as there.
 */
export async function readDoneSteps(sql: Sql, teamId: Uuid, isTest: boolean): Promise<DoneSteps> {
  const newest = sql`
    select host, is_test from placed_order where team_id = ${teamId}
    order by created_at desc, id desc limit ${ordersRead}`;
  const [row] = await sql<[DoneSteps]>`/* readDoneSteps */
    select
      exists (select from domain where team_id = ${teamId} and is_test = ${isTest}) as "hasDomain",
      exists (select from (${newest}) newest where is_test = ${isTest})
        or (select count(*) from (${newest}) newest) = ${ordersRead} as "hasOrder",
      exists (
        select from refused_report where team_id = ${teamId} and key_hash is null and is_test = ${isTest}
      ) or exists (select from (${newest}) newest where is_test = ${isTest} and host is not null) as "hasTag"`;
  return row;
}
