import { isoTime } from '../../values/time.js';
import { parseUrl } from '../../values/url.js';
import { readObject, readText } from './payload.js';
import { listIn, type ShopApi } from './shopApi.js';

/** Asks a Shopify shop for its orders by their last change (shopify.dev/docs/api/admin-rest). It has those of 60 days. */
export const askShopify: ShopApi = {
  url: null,
  keyForm: 'shpat_…, the Admin API access token of an app with the scope read_orders',
  isKey: /^shp\w+$/,
  headers: (apiKey) => ({ 'x-shopify-access-token': apiKey }),
  pageSize: 50,
  path({ sinceMs, cursor, size }) {
    const first = { status: 'any', order: 'updated_at asc', updated_at_min: isoTime(sinceMs) };
    const query = cursor === null ? first : { page_info: cursor };
    return `/admin/api/2025-10/orders.json?${new URLSearchParams({ ...query, limit: String(size) })}`;
  },
  read({ value, headers }, { sinceMs }) {
    const orders = listIn(readObject(value).orders);
    const events = orders.map((payload) => ({ payload, topic: 'orders/updated' }));
    const cursor = cursorIn(headers.get('link') ?? '');
    if (cursor === null) return { events, next: null };
    const lastMs = Date.parse(readText(readObject(orders.at(-1)).updated_at) ?? '');
    return { events, next: { sinceMs: lastMs > sinceMs ? lastMs : sinceMs, cursor } };
  },
  pageOf: (id) => ({ orders: [{ id }] }),
};

/** Reads the next page's cursor in links such as `<https://…?page_info=…>; rel="next"`. Null after the last page. */
function cursorIn(links: string): string | null {
  const next = links.split(',').find((link) => /rel="?next/.test(link)) ?? '';
  return (
    parseUrl(next.slice(next.indexOf('<') + 1, next.indexOf('>')))?.searchParams.get('page_info') ?? null
  );
}
