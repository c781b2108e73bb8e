import type { Sql } from '../../database/connection/connect.js';

/** The role of a node in a Citus cluster. */
export interface CitusNode {
  /** Set if the node that was asked is a worker. */
  isWorker: boolean;
  /** Host and port of the coordinator; null if the cluster does not know it. */
  coordinator: string | null;
  /** Number of nodes that store rows. */
  nodes: number;
}

/** Reads the role of this node in its cluster. Rejects if the extension is missing. */
export async function readCitusNode(sql: Sql): Promise<CitusNode> {
  const [node] = await sql<[CitusNode]>`/* readCitusNode */
    select (select groupid <> 0 from pg_dist_local_group) as "isWorker",
      (select nodename || ':' || nodeport from pg_dist_node where groupid = 0 and noderole = 'primary')
        as coordinator,
      (select count(*)::int from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary')
        as nodes`;
  return node;
}
