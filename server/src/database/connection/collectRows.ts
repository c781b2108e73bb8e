import type { PendingQuery, Row, Sql } from 'postgres';

/**
 * Has postgres.js append each row to its result. By itself 3.4.9 writes them at an index that it keeps with the
 * connection and takes back to 0 when a result ends: a connection that is lost in the middle of a result gave the
 * first result after it as many empty places in front, and who took the first row had none. Its `forEach`, which
 * that index does not concern, does the same with a function of the caller's.
 */
export function collectRows(sql: Sql): void {
  // Made to reach the class, and never executed.
  const { prototype } = (sql`` as PendingQuery<Row[]>).constructor;
  prototype.forEachFn = appendRow;
}

function appendRow(row: Row, result: Row[]): void {
  result.push(row);
}
