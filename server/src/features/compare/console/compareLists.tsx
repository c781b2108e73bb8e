import type { Child } from 'hono/jsx';
import { useConsole } from '../../../console/context.js';
import { formatNumber } from '../../../console/parts/format.js';
import { Panel } from '../../../console/parts/panel.js';
import { type Column, Table } from '../../../console/parts/table.js';
import type { Unread } from '../read/fileOrder.js';

interface ListProps<Row> {
  id: string;
  title: string;
  /** Advice on these differences. */
  about?: string;
  count: number;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** A table of the first differences of one kind. Renders nothing if it has no rows. */
export function List<Row>({ id, title, about, count, columns, rows }: ListProps<Row>) {
  const { viewer } = useConsole();
  if (rows.length === 0) return null;
  return (
    <Panel id={id} title={`${title} (${formatNumber(count, viewer)})`}>
      {about && <p class="body muted">{about}</p>}
      <Table columns={columns} rows={rows} />
      {count > rows.length && (
        <footer>
          <small>
            These are the first {formatNumber(rows.length, viewer)}. The command <code>order compare</code>{' '}
            lists all of them.
          </small>
        </footer>
      )}
    </Panel>
  );
}

/** Rows of a file that were not read or not stored, and the reasons. */
export function Reasons({ list, ...rest }: { id: string; title: string; list: Unread[]; count: number }) {
  const { viewer } = useConsole();
  const columns: Column<Unread>[] = [
    { head: 'Order id', class: 'title mid', isName: true, cell: ({ orderId }) => <Id>{orderId}</Id> },
    { head: 'Reason', class: 'rest text', cell: ({ message }) => <bdi>{message}</bdi> },
    { head: 'Line', class: 'number value', cell: ({ line }) => formatNumber(line, viewer) },
  ];
  return <List {...rest} columns={columns} rows={list} />;
}

/** An order id of a file, isolated because it may be text in either direction. */
export function Id({ children }: { children: Child }) {
  return <bdi>{children ?? '–'}</bdi>;
}
