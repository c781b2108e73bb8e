import type { Fragment, Sql } from './connection/connect.js';

/**
 * Writes "one of these values" as the right side of a comparison that an index can answer. They are an array,
 * because `in (select …)` was planned as a comparison with each row of a young table. They travel as JSON, because `connect`
 * fetches no types of arrays.
 */
export const anyOf = (sql: Sql, values: readonly string[], type: 'text' | 'uuid' = 'text'): Fragment =>
  sql`any(array(select value${type === 'uuid' ? sql`::uuid` : sql``} from json_array_elements_text(${JSON.stringify(values)}::text::json)))`;

/** PostgreSQL's number of the type json. */
const json = 114;

/** Makes a parameter of the type json, for rows that are `values`; null for nothing. */
export function asJson(sql: Sql, value: object | null | undefined) {
  return value ? sql.typed(value as never, json) : null;
}
