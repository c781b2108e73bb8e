import { dayMs } from '../../../values/time.js';
import { readObject, readText } from '../receive/payload.js';
import { listIn, type ShopApi } from './shopApi.js';

/**
 * Asks Stripe for its events of the last 30 days (docs.stripe.com/api/events/list). Stripe lists the newest event
 * first. So the events are read day by day, and a sync that is cut continues on its day.
 */
export const askStripe: ShopApi = {
  url: 'https://api.stripe.com',
  keyForm: 'rk_…, a restricted key that may read events and nothing else',
  isKey: /^rk_(?:live|test)_\w+$/,
  isTestKey: (apiKey) => apiKey.startsWith('rk_test_'),
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  // Stripe refuses this to a key that may only read events. The webhook's state is then unknown.
  webhooks: {
    path: '/v1/webhook_endpoints?limit=100',
    read: ({ value }) =>
      listIn(readObject(value).data)
        .map(readObject)
        .map(({ url, status }) => ({ url: readText(url) ?? '', isOn: status === 'enabled' })),
    countsRedirects: false,
  },
  pageSize: 100,
  path({ sinceMs, cursor, size }, types) {
    const seconds = Math.floor(sinceMs / 1_000);
    const query = new URLSearchParams({
      limit: String(size),
      'created[gte]': String(seconds),
      'created[lt]': String(seconds + dayMs / 1_000),
      ...(cursor !== null && { starting_after: cursor }),
    });
    for (const type of types) query.append('types[]', type);
    return `/v1/events?${query}`;
  },
  read({ value }, { sinceMs }, nowMs) {
    const events = listIn(readObject(value).data).map((payload) => ({ payload, topic: null }));
    const last = readText(readObject(events.at(-1)?.payload).id);
    if (readObject(value).has_more === true && last !== null)
      return { events, next: { sinceMs, cursor: last } };
    const next = sinceMs + dayMs < nowMs ? { sinceMs: sinceMs + dayMs, cursor: null } : null;
    return { events, next };
  },
  pageOf: (id) => ({ data: [{ id }], has_more: true }),
};
