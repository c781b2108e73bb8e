import type { Sql } from 'postgres';

/**
 * Makes the end of a pool close every connection. At its time limit postgres.js 3.4.9 says farewell and leaves it to
 * PostgreSQL to close them; one that has stopped answering would keep this process alive for as long.
 */
export function guardEnd(sql: Sql, destroySockets: () => void): void {
  const end = sql.end.bind(sql);
  sql.end = (options) => end(options).then(destroySockets);
}
