import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { type FieldName, fieldNames, fieldsByName, fieldsWith, type OrderFields } from '../fields.js';

const columnOf = (name: FieldName) => fieldsByName[name].column;
// Texts that are put together once: a fragment for each field would be work of each statement.
const columnsText = fieldNames.map(columnOf).join(', ');
const typesText = fieldNames.map((name) => `"${name}" ${fieldsByName[name].type}`).join(', ');
const erasureText = fieldsWith('isPersonal')
  .map((name) => `${columnOf(name)} = null`)
  .join(', ');

/** The columns of all fields, for an insert. */
export const fieldColumns = (sql: Sql): Fragment => sql`${sql.unsafe(columnsText)}`;

/** The fields as columns of a recordset, with their types. */
export const fieldTypes = (sql: Sql): Fragment => sql`${sql.unsafe(typesText)}`;

/** Empties the personal columns, for an update. */
export const eraseFields = (sql: Sql): Fragment => sql`${sql.unsafe(erasureText)}`;

/**
 * Makes the fragment that reads fields of a row `o` of `placed_order` under their own names.
 * @param names by default all
 */
export function fieldReader(names: readonly FieldName[] = fieldNames): (sql: Sql) => Fragment {
  const text = names.map((name) => `o.${columnOf(name)} as "${name}"`).join(', ');
  return (sql) => sql`${sql.unsafe(text)}`;
}

/** Reads all fields of a row `o` of `placed_order` under their own names. */
export const readFields = fieldReader();

/** Sets the columns of all fields, for an update. */
export const setFields = (sql: Sql, values: OrderFields): Fragment =>
  fieldNames
    .map((name) => {
      const value = values[name];
      return fieldsByName[name].type === 'json'
        ? sql`${sql(columnOf(name))} = ${value === null ? null : JSON.stringify(value)}::text::json`
        : sql`${sql(columnOf(name))} = ${value as string | null}`;
    })
    .reduce((all, part) => sql`${all}, ${part}`);
