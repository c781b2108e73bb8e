import { command } from '../../site/checks/check.js';
import { encodeId } from '../../values/ids.js';
import { reportCommand } from '../refused/reportCommand.js';
import type { WholeOrderRow } from '../sql/shownOrders.js';

interface CorrectOrderProps {
  order: WholeOrderRow;
  /** `team_…` */
  teamId: string;
  /** The URL that backends see. */
  publicUrl: string;
}

/** Says how to correct an order: by a report with an API key, which counts more than a page. The console itself changes no order. */
export function CorrectOrder({ order, teamId, publicUrl }: CorrectOrderProps) {
  const isRemovable = order.isTest || order.reportedBy === 'browser';
  return (
    <section>
      <h2>Correct it</h2>
      <details>
        <summary>Correct amount, currency, buyer or items</summary>
        <p>
          Report the order again with an API key and the same <code>orderId</code>, from your backend or a
          terminal. What it says replaces what the page said.
        </p>
        {order.orderId === null ? (
          <p>This order has no order id of yours, so no other report meets it.</p>
        ) : (
          <pre tabindex={0}>
            <code>
              {reportCommand(publicUrl, '/orders', {
                isTest: order.isTest,
                body: { orderId: 'YOUR-ORDER-ID', email: 'ann@shop.example', amount: 1, currency: 'USD' },
              })}
            </code>
          </pre>
        )}
        <p>Whoever runs your server corrects a buyer’s name:</p>
        <pre tabindex={0}>
          <code>{`${command} person edit --team ${teamId} --email ann@shop.example --name "Ann"`}</code>
        </pre>
        {isRemovable && (
          <>
            <p>{order.isTest ? 'Tests' : 'Orders that no backend has reported'} can be removed:</p>
            <pre tabindex={0}>
              <code>{`${command} order discard --team ${teamId} ${encodeId('ord', order.id)}`}</code>
            </pre>
          </>
        )}
      </details>
    </section>
  );
}
