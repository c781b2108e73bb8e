import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** The three steps to a first order in one mode. Each is true if it is done. */
export interface DoneSteps {
  hasDomain: boolean;
  /** A page with the tag has sent a report, which was stored or refused. */
  hasTag: boolean;
  hasOrder: boolean;
}

/** Number of newest orders, of both modes, among which an order of one mode is looked for. */
const ordersRead = 2_000;

/**
 * Reads which steps of setting up a team's shop are done in one mode. It reads few rows, whatever the size of the tables: if
 * the newest 2,000 orders are all of the other mode, the step of the first order counts as done.
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
