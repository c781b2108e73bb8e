import type { Fragment, Sql } from './connection/connect.js';

/**
 * Writes "any of these values" as the right side of a comparison that can use an index. The values are an array, because `in
 * (select …)` was planned as a comparison with each row of a new table. Several are sent as JSON, because `connect` fetches no
 * array types. Of those the planner expects ten, so for one value or none it would read a small table whole, and go on to do so
 * while the table grows.
 */
export function anyOf(sql: Sql, values: readonly string[], type: 'text' | 'uuid' = 'text'): Fragment {
  const [value] = values;
  const cast = type === 'uuid' ? sql`::uuid` : sql`::text`;
  if (value === undefined) return sql`any(array[]${cast}[])`;
  if (values.length === 1) return sql`any(array[${value}${cast}])`;
  return sql`any(array(select value${cast} from json_array_elements_text(${JSON.stringify(values)}::text::json)))`;
}

/** PostgreSQL's number of the type json. */
const json = 114;

/** Creates a parameter of the type json, for rows that are `values`; null if the value is null or undefined. */
export function asJson(sql: Sql, value: object | null | undefined) {
  return value ? sql.typed(value as never, json) : null;
}
