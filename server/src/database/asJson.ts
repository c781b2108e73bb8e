import type { Sql } from './connection/connect.js';

/** PostgreSQL's number of the type json. */
const json = 114;

/** Makes a parameter of the type json, for rows that are `values`; null for nothing. */
export function asJson(sql: Sql, value: object | null | undefined) {
  return value ? sql.typed(value as never, json) : null;
}
