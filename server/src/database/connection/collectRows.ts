import type { PendingQuery, Row, Sql } from 'postgres';

/**
 * Makes postgres.js append each row to its result. Version 3.4.9 writes rows at an index that belongs to the
 * connection and is reset when a result ends: after a loss in the middle of a result, the next result began with as
 * many empty places, and its first row was undefined. A `forEach` function bypasses that index.
 */
export function collectRows(sql: Sql): void {
  // This query only leads to its class and is never executed.
  const { prototype } = (sql`` as PendingQuery<Row[]>).constructor;
  prototype.forEachFn = appendRow;
}

function appendRow(row: Row, result: Row[]): void {
  result.push(row);
}
