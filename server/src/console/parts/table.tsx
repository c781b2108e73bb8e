import type { Child } from 'hono/jsx';

/**
 * A column of a table. Classes say where its cells stand on a phone, in two lines a row: `title` and `value` above, `note`,
 * `mark` and `time` below; `rest` has a line of its own, and `wide` is not shown. `number` stands at the end, `long` takes
 * what width is left and is cut, `mid` is cut where it is wider than most, and `text` wraps.
 */
export interface Column<Row> {
  head: Child;
  cell: (row: Row) => Child;
  class?: string;
  /** True for the column that names its row. */
  isName?: boolean;
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id?: string;
  /** Attributes of a row. */
  row?: (row: Row) => { id?: string; 'data-at'?: number };
}

/** A table of one line a row. */
export function Table<Row>({ columns, rows, id, row }: TableProps<Row>) {
  return (
    <table class="rows" id={id}>
      <thead>
        <tr>
          {columns.map(({ head, class: name }) =>
            head === '' ? (
              <td class={name}></td>
            ) : (
              <th scope="col" class={name}>
                {head}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => (
          <tr {...row?.(item)}>
            {columns.map(({ cell, class: name, isName }) =>
              isName ? (
                <th scope="row" class={name}>
                  {cell(item)}
                </th>
              ) : (
                <td class={name}>{cell(item)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Facts about one thing, one a line; those without a value are left out. */
export function Facts({ facts }: { facts: Record<string, Child> }) {
  return (
    <table class="facts">
      <tbody>
        {Object.entries(facts).map(
          ([name, value]) =>
            value !== null &&
            value !== undefined && (
              <tr>
                <th scope="row" class="muted">
                  {name}
                </th>
                <td class="number">{typeof value === 'string' ? <bdi>{value}</bdi> : value}</td>
              </tr>
            ),
        )}
      </tbody>
    </table>
  );
}
