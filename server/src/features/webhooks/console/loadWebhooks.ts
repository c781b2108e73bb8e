import type { ConsoleContext } from '../../../console/context.js';
import { countPending, listDeliveries } from '../sql/delivery.js';
import { listHooks } from '../sql/hook.js';
import { readWebhookQuery } from './webhookQuery.js';

/** Deliveries that the page shows at most. */
export const deliveriesShown = 50;

/** Data of the page of webhooks. */
export type WebhooksData = Awaited<ReturnType<typeof loadWebhooks>>;

/** Loads the team's webhooks and their latest deliveries. */
export async function loadWebhooks(c: ConsoleContext) {
  const { query: ask, queryOnce, readNavigation } = c.var;
  const query = readWebhookQuery(c.req.query());
  const [hooks, pending, deliveries] = await Promise.all([
    queryOnce(listHooks),
    ask(countPending),
    ask(listDeliveries, { ...query, limit: deliveriesShown }),
    readNavigation(),
  ]);
  return { query, hooks, pending, deliveries };
}
