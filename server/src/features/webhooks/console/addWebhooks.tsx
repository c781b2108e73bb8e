import type { ConsoleHost } from '../../../console/consoleHost.js';
import type { ConsoleContext } from '../../../console/context.js';
import { counted } from '../../../console/parts/format.js';
import { Badge } from '../../../console/parts/panel.js';
import type { TimelineStep } from '../../../console/parts/timeline.js';
import type { Uuid } from '../../../values/ids.js';
import { listDeliveriesOf } from '../sql/delivery.js';
import { type ListedHook, listHooks } from '../sql/hook.js';
import { Delivery } from './delivery.js';
import { describeDelivery, hostOfHook } from './deliveryWords.js';
import { webhookRoutes } from './webhookRoutes.js';

/** Adds the console's page of webhooks, and their deliveries to the timelines of orders. */
export function addWebhooks(console: ConsoleHost): void {
  console.section({
    at: 40,
    path: '/webhooks',
    title: 'Webhooks',
    icon: 'M13 3 5 13.5h6L10 21l9-11h-6.5z',
    mark: async (c) => <HooksMark hooks={await c.var.queryOnce(listHooks)} />,
  });
  console.pages((app) => app.route('/webhooks', webhookRoutes()));
  console.timeline((c, order) => readDeliverySteps(c, order.id));
  console.trouble(40, async ({ var: { link, queryOnce, viewer } }) => {
    const off = countOff(await queryOnce(listHooks));
    if (off === 0) return null;
    return {
      tone: 'warn',
      title: `${counted(off, 'webhook', viewer)} ${off === 1 ? 'is' : 'are'} off.`,
      href: link('/webhooks'),
      button: 'See them',
    };
  });
}

/** Counts the webhooks that the server itself has switched off, because they failed or their receiver wants no more. */
function countOff(hooks: readonly ListedHook[]): number {
  return hooks.filter(({ disabledReason }) => disabledReason !== null).length;
}

/** The number of webhooks that the server has switched off. */
function HooksMark({ hooks }: { hooks: readonly ListedHook[] }) {
  const off = countOff(hooks);
  if (off === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="warn">
        {off}
        <span class="wide"> off</span>
      </Badge>
    </>
  );
}

/** Reads the deliveries about an order as steps of its timeline. */
async function readDeliverySteps(c: ConsoleContext, orderId: Uuid): Promise<TimelineStep[]> {
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
