import { isoTime } from '../../values/time.js';
import { parseUrl } from '../../values/url.js';
import { readObject, readText } from './payload.js';
import { listIn, type ShopApi } from './shopApi.js';

const ordersAtMost = 50;

/** Asks a Shopify shop for its orders by their last change (shopify.dev/docs/api/admin-rest). It has those of 60 days. */
export const askShopify: ShopApi = {
  url: null,
  keyForm: 'shpat_…, the Admin API access token of an app with the scope read_orders',
  isKey: /^shp\w+$/,
  headers: (apiKey) => ({ 'x-shopify-access-token': apiKey }),
  path({ sinceMs, cursor }) {
    const first = { status: 'any', order: 'updated_at asc', updated_at_min: isoTime(sinceMs) };
    const query = cursor === null ? first : { page_info: cursor };
    return `/admin/api/2025-10/orders.json?${new URLSearchParams({ ...query, limit: String(ordersAtMost) })}`;
  },
  read({ value, headers }, { sinceMs }) {
    const orders = listIn(readObject(value).orders);
    // A plan or key that may not read buyers leaves them out of each order.
    const isBuyerWithheld = !orders.some(isNamed);
    const events = orders.map((payload) => ({ payload, topic: 'orders/updated', isBuyerWithheld }));
    const cursor = cursorIn(headers.get('link') ?? '');
    if (cursor === null) return { events, next: null };
    const lastMs = Date.parse(readText(readObject(orders.at(-1)).updated_at) ?? '');
    return { events, next: { sinceMs: lastMs > sinceMs ? lastMs : sinceMs, cursor } };
  },
};

/** True for an order that tells anything of a person. One of a customer without email and name does not. */
function isNamed(order: unknown): boolean {
  const { email, contact_email, customer } = readObject(order);
  const { email: own, first_name, last_name } = readObject(customer);
  return [email, contact_email, own, first_name, last_name].some((text) => readText(text) !== null);
}

/** Reads the next page's cursor in links such as `<https://…?page_info=…>; rel="next"`. Null after the last page. */
function cursorIn(links: string): string | null {
  const next = links.split(',').find((link) => /rel="?next/.test(link)) ?? '';
  return (
    parseUrl(next.slice(next.indexOf('<') + 1, next.indexOf('>')))?.searchParams.get('page_info') ?? null
  );
}
