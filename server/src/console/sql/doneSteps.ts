import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** The three steps to a first order, each true once it is done. */
export interface DoneSteps {
  hasDomain: boolean;
  /** A page with the tag has reported, stored or refused. */
  hasTag: boolean;
  hasOrder: boolean;
}

/** Reads which steps of setting up a team's shop are done. Looks up a few rows, whatever the tables hold. */
export async function readDoneSteps(sql: Sql, teamId: Uuid): Promise<DoneSteps> {
  const [row] = await sql<[DoneSteps]>`/* readDoneSteps */
    select
      exists (select from domain where team_id = ${teamId}) as "hasDomain",
      exists (select from placed_order where team_id = ${teamId}) as "hasOrder",
      exists (select from refused_report where team_id = ${teamId} and key_hash is null)
        or exists (
          select from (
            select host from placed_order where team_id = ${teamId} order by created_at desc, id desc limit 100
          ) newest where host is not null
        ) as "hasTag"`;
  return row;
}
