import { useConsole } from '../context.js';
import type { WholeOrderRow } from '../sql/shownOrders.js';

/**
 * Says on an order's page that the page sent a template or an empty value as its id, and how to fix it. Renders nothing for any
 * other order. The text is the page's and may be hostile.
 */
export function NoOrderId({ order: { orderId, extra } }: { order: WholeOrderRow }) {
  const { base } = useConsole();
  const sent = extra?.orderId;
  if (orderId !== null || sent === undefined) return null;
  return (
    <p class="notice bad">
      This order has no order id of yours. The page sent{' '}
      <code>
        <bdi>{String(sent)}</bdi>
      </code>
      : a template that your shop did not fill in, or an empty value. So a reloaded page counts as another
      order, and a report of your backend too. Fix: print the id of the order there.{' '}
      <a href={`${base}/docs/merchants#what-can-go-wrong`}>How to give every order its id</a>
    </p>
  );
}
