import { countPending, findDeliveries, listDeliveries } from '../../hooks/sql/delivery.js';
import { ApiError } from '../../values/errors.js';
import type { ConsoleContext } from '../context.js';
import { readDeliveryCursor, readWebhookQuery } from './webhookQuery.js';

const deliveriesOnPage = 50;

/** Data of the page of webhooks. */
export type WebhooksData = Awaited<ReturnType<typeof loadWebhooks>>;

/** Reads the team's webhooks, and a page of their last deliveries. */
export async function loadWebhooks(c: ConsoleContext) {
  const { query: ask, readMarks } = c.var;
  const query = readWebhookQuery(c.req.query());
  const [{ hooks }, pending, found] = await Promise.all([
    readMarks(),
    ask(countPending),
    ask(listDeliveries, {
      hookId: query.hookId ?? undefined,
      onlyFailed: query.onlyFailed,
      before: query.before ?? undefined,
      limit: deliveriesOnPage + 1,
    }),
  ]);
  return {
    query,
    hooks,
    pending,
    deliveries: found.slice(0, deliveriesOnPage),
    isMore: found.length > deliveriesOnPage,
  };
}

/** Data of a delivery's page. */
export type DeliveryData = Awaited<ReturnType<typeof loadDelivery>>;

/** Reads one delivery, with its webhook. Throws `not_found`. */
export async function loadDelivery(c: ConsoleContext, text: string) {
  const { query: ask, readMarks } = c.var;
  const place = readDeliveryCursor(text);
  const found = place ? await ask(findDeliveries, place.id) : [];
  const delivery = found.find(({ hookId }) => hookId === place?.hookId);
  const hook = (await readMarks()).hooks.find(({ id }) => delivery && id === delivery.hookId);
  if (!delivery || !hook)
    throw new ApiError('not_found', {
      message: 'No delivery of this team has that id. Its webhook was removed, or it is older than 30 days.',
    });
  return { delivery, hook };
}
