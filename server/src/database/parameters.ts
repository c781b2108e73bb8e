import type { Fragment, Sql } from './connection/connect.js';

/**
 * Writes "any of these values" as the right side of a comparison that can use an index. The values are an array, because `in
 * (select …)` was planned as a comparison with each row of a new table. They are sent as JSON, because `connect` fetches no array
 * types.
 */
export const anyOf = (sql: Sql, values: readonly string[], type: 'text' | 'uuid' = 'text'): Fragment =>
  sql`any(array(select value${type === 'uuid' ? sql`::uuid` : sql``} from json_array_elements_text(${JSON.stringify(values)}::text::json)))`;

/** PostgreSQL's number of the type json. */
const json = 114;

/** Creates a parameter of the type json, for rows that are `values`; null if the value is null or undefined. */
export function asJson(sql: Sql, value: object | null | undefined) {
  return value ? sql.typed(value as never, json) : null;
}
