import type { LineItem } from '@orderbeacon/sdk/contract';
import { useConsole } from '../context.js';
import { formatMoney, formatNumber } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { type Column, Table } from '../parts/table.js';
import type { WholeOrderRow } from '../sql/shownOrders.js';

/** Fields of a line item that have a column if any item has them. Other fields follow as they were sent. */
const columns = {
  name: { head: 'Name', class: 'title text' },
  sku: { head: 'SKU', class: 'note text' },
  variant: { head: 'Variant', class: 'wide text' },
  category: { head: 'Category', class: 'wide text' },
  quantity: { head: 'Count', class: 'mark' },
  price: { head: 'Price', class: 'number value' },
} as const;

type Name = keyof typeof columns;
const names = Object.keys(columns) as Name[];

/** The line items of an order. Renders nothing if it has none. */
export function OrderItems({ order: { items, currency } }: { order: WholeOrderRow }) {
  const { viewer } = useConsole();
  if (items === null || items.length === 0) return null;
  const restOf = (item: LineItem) =>
    Object.entries(item).filter(([name]) => !names.some((known) => known === name));
  const write = (name: Name, value: string | number | undefined) => {
    if (typeof value !== 'number') return value;
    if (name === 'price') return formatMoney(String(value), currency, viewer);
    return name === 'quantity' ? `× ${formatNumber(value, viewer)}` : formatNumber(value, viewer);
  };
  const shown: Column<LineItem>[] = names
    .filter((name) => items.some((item) => item[name] !== undefined))
    .map((name) => ({ ...columns[name], cell: (item) => <bdi>{write(name, item[name])}</bdi> }));
  if (items.some((item) => restOf(item).length > 0))
    shown.push({
      head: 'More',
      class: 'rest text',
      cell: (item) =>
        restOf(item).length > 0 && <code>{JSON.stringify(Object.fromEntries(restOf(item)))}</code>,
    });
  return (
    <Panel id="items" title="Items">
      <Table columns={shown} rows={items} />
    </Panel>
  );
}
