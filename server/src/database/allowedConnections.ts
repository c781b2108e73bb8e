import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { DatabaseError } from '../values/errors.js';
import type { Sql } from './connection/connect.js';
import { readParameters } from './connection/urlParameters.js';
import { connectionsNeeded, type PoolSizes, poolSizes } from './pools.js';

/** Connections that a server leaves for a command. */
const leftForCommands = 1;
const leastConnections = Object.values(poolSizes(0)).reduce((sum, connections) => sum + connections);

const enough = connectionsNeeded + leftForCommands;
const fix = `Allow more: alter role … connection limit ${enough}, alter database … connection limit ${enough}, or max_connections in postgresql.conf.`;

/** Reads how many connections PostgreSQL allows the role in this database, including those of others. */
export async function readAllowed(sql: Sql): Promise<number> {
  // `least` ignores null. Only `max_connections` limits a superuser.
  const [{ allowed }] = await sql<[{ allowed: number }]>`/* readAllowed */
    select least(
      case when rolconnlimit >= 0 and not rolsuper then rolconnlimit end,
      case when datconnlimit >= 0 and not rolsuper then datconnlimit end,
      current_setting('max_connections')::int - case when rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end
    ) as allowed
    from pg_roles, pg_database where rolname = current_user and datname = current_database()`;
  return allowed;
}

/**
 * Describes that the database allows fewer connections than a server needs, and if the server can start; null if it allows enough.
 */
export function describeAllowed(allowed: number): { canStart: boolean; message: string; fix: string } | null {
  if (allowed >= enough) return null;
  const canStart = allowed >= leastConnections;
  const used = Math.max(leastConnections, allowed - leftForCommands);
  const message = `The database allows ${allowed} connections. ${
    canStart
      ? `A server uses ${used} in place of ${connectionsNeeded}, so that more reports wait when it is busy.`
      : `A server needs ${leastConnections} at least, and ${connectionsNeeded} to be quick.`
  }`;
  return { canStart, message, fix };
}

/**
 * Chooses the sizes of a server's pools: smaller if the database, or `connection_limit` in its URL, allows fewer connections.
 * @param notify called with a line for the operator if the database allows fewer than a server needs
 * @throws DatabaseError if it allows too few
 */
export async function choosePoolSizes(
  sql: Sql,
  databaseUrl: string,
  notify: (line: string) => void,
): Promise<PoolSizes> {
  const { connectionLimit } = readParameters(parseDatabaseUrl(databaseUrl).url);
  const allowed = await readAllowed(sql);
  const shortage = describeAllowed(allowed);
  if (shortage?.canStart === false) throw new DatabaseError(shortage.message, { fix });
  if (shortage) notify(`${shortage.message} ${fix}`);
  return poolSizes(Math.min(allowed - leftForCommands, connectionLimit ?? allowed));
}
