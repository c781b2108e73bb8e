import type { Sql } from '../connection/connect.js';

/** The state of Citus on a PostgreSQL server. */
export interface CitusOffer {
  /** Its files are installed, so that the extension can be created. */
  isOffered: boolean;
  /** It was loaded when the server started; otherwise no function of it runs. */
  isLoaded: boolean;
}

/** Reads whether Citus can be used. A setting of an extension that is not loaded does not exist. */
export async function readCitusOffer(sql: Sql): Promise<CitusOffer> {
  const [offer] = await sql<[CitusOffer]>`/* readCitusOffer */
    select exists (select from pg_available_extensions where name = 'citus') as "isOffered",
      current_setting('citus.node_connection_timeout', true) is not null as "isLoaded"`;
  return offer;
}

/** Creates the extension Citus unless it exists. The database user must be allowed to, usually as superuser. */
export async function enableCitus(sql: Sql): Promise<void> {
  await sql`/* enableCitus */ create extension if not exists citus`;
}

/** The place of a node in a Citus cluster. */
export interface CitusPlace {
  /** True when the node that was asked is a worker. */
  isWorker: boolean;
  /** Host and port of the coordinator; null where the cluster does not know it. */
  coordinator: string | null;
  /** Nodes that take rows. */
  nodes: number;
}

/** Reads the place of this node in its cluster. Rejects without the extension. */
export async function readCitusPlace(sql: Sql): Promise<CitusPlace> {
  const [place] = await sql<[CitusPlace]>`/* readCitusPlace */
    select (select groupid <> 0 from pg_dist_local_group) as "isWorker",
      (select nodename || ':' || nodeport from pg_dist_node where groupid = 0 and noderole = 'primary')
        as coordinator,
      (select count(*)::int from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary')
        as nodes`;
  return place;
}
