import type { HookDelivery } from '../../hooks/hookDelivery.js';
import type { ListedHook } from '../../hooks/sql/hook.js';
import { Scroll } from '../parts/elements.js';
import { DeliveryTable } from '../webhooks/deliveryTable.js';

interface OrderDeliveriesProps {
  /** The deliveries that tell of the order, the newest first. */
  deliveries: readonly HookDelivery[];
  hooks: readonly ListedHook[];
}

/** The webhooks that were told of an order, each with a button that has it sent again. */
export function OrderDeliveries({ deliveries, hooks }: OrderDeliveriesProps) {
  if (deliveries.length === 0) return null;
  return (
    <section>
      <h2 id="deliveries">Webhooks</h2>
      <Scroll labelledBy="deliveries">
        <DeliveryTable deliveries={deliveries} hooks={hooks} hasResend />
      </Scroll>
    </section>
  );
}
