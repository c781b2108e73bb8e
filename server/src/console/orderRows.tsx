import { encodeId } from '../values/ids.js';
import { useConsole } from './context.js';
import { formatMoney, formatTime } from './format.js';
import type { ShownOrderRow } from './sql/shownOrders.js';

/** The reporters of an order, in words. */
export const reporterWords = {
  browser: 'Page',
  key: 'Key',
  both: 'Page and key',
} as const satisfies Record<ShownOrderRow['reportedBy'], string>;

/** One line of the list of orders; live pages get it alone. Texts of buyers may be in any script and direction. */
export function OrderRow({ order }: { order: ShownOrderRow }) {
  const { base, viewer } = useConsole();
  const id = encodeId('ord', order.id);
  return (
    <tr id={id} data-at={order.createdAt.getTime()}>
      <td>
        <time datetime={order.createdAt.toISOString()}>{formatTime(order.createdAt, viewer)}</time>
      </td>
      <th scope="row">
        <a href={`${base}/console/orders/${id}`}>{order.orderNumber}</a>{' '}
        {order.isTest && <span class="badge">test</span>}
      </th>
      <td class="long">
        <bdi>{order.orderId}</bdi>
      </td>
      <td class="long">
        {order.email === null ? <em>erased</em> : <bdi>{order.email}</bdi>}
        {order.name && (
          <>
            <br />
            <bdi>{order.name}</bdi>
          </>
        )}
      </td>
      <td class="number">{formatMoney(order.amount, order.currency, viewer)}</td>
      <td>{reporterWords[order.reportedBy]}</td>
    </tr>
  );
}

interface OrderTableProps {
  orders: readonly ShownOrderRow[];
  /** The address that new orders come from, on a page that shows them as they arrive. */
  live?: string | undefined;
}

/** The list of orders with its headings. */
export function OrderTable({ orders, live }: OrderTableProps) {
  return (
    <table id="orders" data-live={live}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Order</th>
          <th scope="col">Your order id</th>
          <th scope="col">Buyer</th>
          <th scope="col" class="number">
            Amount
          </th>
          <th scope="col">Reported by</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow order={order} />
        ))}
      </tbody>
    </table>
  );
}
