import type { Child } from 'hono/jsx';
import type { Unread } from '../../compare/readRow.js';
import { useConsole } from '../context.js';
import { Scroll } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';

/**
 * One kind of differences: a heading, and a table of the first ones, each named by its first cell. A cell that is a text may be
 * anybody's. Renders nothing without any.
 */
export function List({
  id,
  title,
  count,
  heads,
  rows,
}: {
  id: string;
  title: string;
  count: number;
  heads: readonly string[];
  rows: readonly Child[][];
}) {
  const { viewer } = useConsole();
  if (rows.length === 0) return null;
  const show = (cell: Child) => (typeof cell === 'string' ? <bdi>{cell}</bdi> : cell);
  return (
    <section>
      <h2 id={id}>
        {title} ({formatNumber(count, viewer)})
      </h2>
      <Scroll labelledBy={id}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr>
                <th scope="row" class="long">
                  {show(name)}
                </th>
                {cells.map((cell) => (
                  <td class={typeof cell === 'string' ? 'long' : ''}>{show(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {count > rows.length && (
        <p>
          These are the first {formatNumber(rows.length, viewer)}. The command <code>order compare</code>{' '}
          lists all of them.
        </p>
      )}
    </section>
  );
}

/** Rows of a file that something was not done with, and why. */
export function Reasons({ list, ...rest }: { id: string; title: string; list: Unread[]; count: number }) {
  const { viewer } = useConsole();
  const rows = list.map(({ line, orderId, message }) => [
    <span>{formatNumber(line, viewer)}</span>,
    orderId ?? '–',
    message,
  ]);
  return <List {...rest} heads={['Line', 'Order id', 'Reason']} rows={rows} />;
}
