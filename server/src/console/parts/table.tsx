import type { Child } from 'hono/jsx';

/**
 * A column of a table. Classes say where its cells stand on a phone, where a row has two lines: `title` and `value` on the
 * upper, `note`, `mark` and `time` on the lower. `rest` gets another line, and `wide` is hidden. On every screen, cells of
 * `number` are aligned to the end, `long` takes the remaining width and is cut, `mid` is cut if unusually wide, and `text`
 * wraps.
 */
export interface Column<Row> {
  head: Child;
  cell: (row: Row) => Child;
  class?: string;
  /** Set for the column that names its row. */
  isName?: boolean;
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id?: string;
  /** Attributes of a row. */
  row?: (row: Row) => { id?: string; 'data-at'?: number };
}

/** A table with one line per row. */
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

/** A table of facts about one thing, one per line. Facts without a value are left out. */
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
