import type { ListedRefundRow } from '../../orders/sql/listRefunds.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Scroll, Time } from '../parts/elements.js';
import { formatMoney } from '../parts/formatNumber.js';
import { reportCommand } from '../refused/reportCommand.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';

interface OrderRefundsProps {
  order: ShownOrderRow;
  /** The refunds of the order, the oldest first. */
  refunds: readonly ListedRefundRow[];
  /** The URL that backends see. */
  publicUrl: string;
}

/** The refunds on an order's page, and how a backend reports one. The console itself refunds nothing. */
export function OrderRefunds({ order, refunds, publicUrl }: OrderRefundsProps) {
  const { viewer } = useConsole();
  const money = (amount: string) => formatMoney(amount, order.currency, viewer);
  return (
    <section>
      <h2 id="refunds">Refunds</h2>
      {refunds.length === 0 ? (
        <p>None of this order.</p>
      ) : (
        <Scroll labelledBy="refunds">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Refund id</th>
                <th scope="col" class="number">
                  Amount
                </th>
                <th scope="col">Reason</th>
              </tr>
            </thead>
            <tbody>
              {refunds.map(({ refundId, amount, reason, createdAt }) => (
                <tr>
                  <td>
                    <Time at={createdAt} />
                  </td>
                  <th scope="row" class="long">
                    <bdi>{refundId}</bdi>
                  </th>
                  <td class="number">{money(amount)}</td>
                  <td class="long">
                    <bdi>{reason}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {Number(order.refunded) < Number(order.amount) && (
        <details>
          <summary>Report a refund of this order</summary>
          <p>
            Give the money back in your payment system. Then report it with an API key, from your backend or a
            terminal. Without <code>amount</code> it is a refund of all that is left. Sent again with the same{' '}
            <code>refundId</code>, it counts once.
          </p>
          <pre tabindex={0}>
            <code>
              {reportCommand(publicUrl, '/orders/refunds', {
                isTest: order.isTest,
                body: { orderId: encodeId('ord', order.id), refundId: 'refund-1', amount: 1 },
              })}
            </code>
          </pre>
        </details>
      )}
    </section>
  );
}
