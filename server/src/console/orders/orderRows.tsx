import { refundState } from '../../orders/paymentStatus.js';
import { encodeId } from '../../values/ids.js';
import { shownEmail } from '../../values/madeUpEmail.js';
import { useConsole } from '../context.js';
import { TimeOrAgo } from '../parts/elements.js';
import { formatMoney } from '../parts/formatNumber.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';
import { reporterWords } from './reporterWords.js';

/**
 * One line of the list of orders; live pages get it alone. Texts of buyers may be in any script and direction.
 * @param props.from parameters of the list, by which the order's page leads back to it
 */
export function OrderRow({ order, from }: { order: ShownOrderRow; from: string }) {
  const { home, viewer } = useConsole();
  const id = encodeId('ord', order.id);
  return (
    <tr id={id} data-at={order.createdAt.getTime()}>
      <td class="end">
        <TimeOrAgo at={order.createdAt} />
      </td>
      <th scope="row">
        <a href={`${home}/orders/${id}${from}`}>{order.orderNumber}</a>{' '}
        {order.isTest && <span class="badge">test</span>}
      </th>
      <td class="long">
        <bdi>{order.orderId}</bdi>
      </td>
      <td class="long first">
        {order.email === null ? <em>erased</em> : <bdi>{shownEmail(order.email)}</bdi>}
        {order.name && (
          <>
            <br />
            <bdi>{order.name}</bdi>
          </>
        )}
      </td>
      <td class="number first">
        {formatMoney(order.amount, order.currency, viewer)} <RefundedMark order={order} />
      </td>
      <td class="end">{reporterWords[order.reportedBy]}</td>
    </tr>
  );
}

/** A mark of an order that was refunded, wholly or in part; nothing for any other. */
export function RefundedMark({ order }: { order: Pick<ShownOrderRow, 'amount' | 'refunded' | 'currency'> }) {
  const { paymentStatus } = refundState(order.amount, order.refunded, order.currency);
  if (paymentStatus === 'PAID') return null;
  return <span class="badge">{paymentStatus === 'REFUNDED' ? 'refunded' : 'partly refunded'}</span>;
}

interface OrderTableProps {
  orders: readonly ShownOrderRow[];
  /** The address that new orders come from, on a page that shows them as they arrive. */
  live?: string | undefined;
  /** Parameters of the list, by which an order's page leads back to it. */
  from?: string;
  /**
   * Number of rows that a page keeps which shows them as they arrive. No more than an event has: the orders between an
   * event's last one and a page's first one would be missing.
   */
  rowsAtMost?: number;
}

/** The list of orders with its headings. */
export function OrderTable({ orders, live, from = '', rowsAtMost }: OrderTableProps) {
  return (
    <table id="orders" class="cards" data-live={live} data-rows={live && rowsAtMost}>
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
          <OrderRow order={order} from={from} />
        ))}
      </tbody>
    </table>
  );
}
