import type { ConsoleContext } from '../../../console/context.js';
import type { TimelineStep } from '../../../console/parts/timeline.js';
import type { Uuid } from '../../../values/ids.js';
import { listDeliveriesOf } from '../sql/delivery.js';
import { listHooks } from '../sql/hook.js';
import { Delivery } from './delivery.js';
import { describeDelivery, hostOfHook } from './deliveryWords.js';

/** Reads the deliveries about an order, as steps of its timeline. */
export async function readDeliverySteps(c: ConsoleContext, orderId: Uuid): Promise<TimelineStep[]> {
  const { query, queryOnce, viewer } = c.var;
  const [deliveries, hooks] = await Promise.all([query(listDeliveriesOf, orderId), queryOnce(listHooks)]);
  return deliveries.map((delivery) => {
    const hook = hooks.find(({ id }) => id === delivery.hookId);
    const isFailed = delivery.deliveredAt === null && delivery.error !== null;
    return {
      at: delivery.createdAt,
      tone: delivery.deliveredAt ? 'good' : isFailed ? 'bad' : undefined,
      title: `Webhook ${delivery.type}`,
      content: (
        <details class="delivery">
          <summary>
            <span>
              <bdi>{hook ? hostOfHook(hook) : 'a removed webhook'}</bdi>:{' '}
              <bdi>{describeDelivery(delivery, hook, viewer)}</bdi>
            </span>
          </summary>
          {hook && <Delivery delivery={delivery} hook={hook} orderId={orderId} />}
        </details>
      ),
    };
  });
}
