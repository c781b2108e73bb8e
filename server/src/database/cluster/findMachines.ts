import type { Uuid } from '../../values/ids.js';
import type { Sql } from '../connection/connect.js';

/** Finds the machine of a Citus cluster on which each team's rows lie; the coordinator alone answers. */
export function findMachines(sql: Sql, teams: Uuid[]) {
  return sql<{ id: Uuid; machine: number }[]>`/* findMachines */
    select id, groupid as machine from (
      select value::uuid as id, get_shard_id_for_distribution_column('placed_order', value::uuid) as shard
      from json_array_elements_text(${JSON.stringify(teams)}::text::json)
    ) team join pg_dist_placement on shardid = shard`;
}
