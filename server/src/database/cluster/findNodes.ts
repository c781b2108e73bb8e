import type { Uuid } from '../../values/ids.js';
import type { Sql } from '../connection/connect.js';

/** Finds the node of a Citus cluster that holds the rows of each team. Only the coordinator can answer. */
export function findNodes(sql: Sql, teams: Uuid[]) {
  return sql<{ id: Uuid; node: number }[]>`/* findNodes */
    select id, groupid as node from (
      select value::uuid as id, get_shard_id_for_distribution_column('placed_order', value::uuid) as shard
      from json_array_elements_text(${JSON.stringify(teams)}::text::json)
    ) team join pg_dist_placement on shardid = shard`;
}
