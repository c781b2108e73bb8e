import { isoTime } from '../../../values/time.js';
import { parseUrl } from '../../../values/url.js';
import { readObject, readText } from '../receive/payload.js';
import { listIn, type ShopApi } from './shopApi.js';

/** The version of Shopify's API that is asked. Shopify supports each version for a year from its month. */
export const shopifyVersion = '2026-10';

/**
 * Asks a Shopify shop for its orders, sorted by their last change (shopify.dev/docs/api/admin-rest). Shopify returns
 * the orders of the last 60 days.
 */
export const askShopify: ShopApi = {
  url: null,
  keyForm:
    'CLIENT_ID:CLIENT_SECRET, those of an app of the Dev Dashboard with the scope read_orders, or shpat_…, the access token of an app that was made in the admin',
  // A client secret without a client ID, which begins with `shpss_`, is not a key.
  isKey: /^(?:[\w-]+:[\w-]+|shp(?!ss_)\w+)$/,
  headers: (token) => ({ 'x-shopify-access-token': token }),
  // An app of the Dev Dashboard has no lasting token:
  // shopify.dev/docs/apps/build/authentication-authorization/client-credentials-grant.
  grant(apiKey) {
    const [client_id = '', client_secret] = apiKey.split(':');
    if (client_secret === undefined) return null;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    return { path: '/admin/oauth/access_token', body: String(body) };
  },
  // On some plans, Shopify leaves these fields out for an app that was made in the admin.
  namesBuyer(payload) {
    const { email, contact_email, phone, customer, billing_address, shipping_address } = readObject(payload);
    const people = [customer, billing_address, shipping_address].map(readObject);
    const given = people.flatMap((who) => [who.email, who.phone, who.first_name, who.last_name, who.name]);
    return [email, contact_email, phone, ...given].some((each) => readText(each) !== null);
  },
  pageSize: 50,
  path({ sinceMs, cursor, size }) {
    const first = { status: 'any', order: 'updated_at asc', updated_at_min: isoTime(sinceMs) };
    const query = cursor === null ? first : { page_info: cursor };
    return `/admin/api/${shopifyVersion}/orders.json?${new URLSearchParams({ ...query, limit: String(size) })}`;
  },
  read({ value, headers }, { sinceMs }) {
    const orders = listIn(readObject(value).orders);
    // If the plan or the key may not read buyers, no order of the page names one.
    const isBuyerWithheld = !orders.some(isNamed);
    const events = orders.map((payload) => ({ payload, topic: 'orders/updated', isBuyerWithheld }));
    const cursor = cursorIn(headers.get('link') ?? '');
    if (cursor === null) return { events, next: null };
    const lastMs = Date.parse(readText(readObject(orders.at(-1)).updated_at) ?? '');
    return { events, next: { sinceMs: lastMs > sinceMs ? lastMs : sinceMs, cursor } };
  },
  pageOf: (id) => ({ orders: [{ id }] }),
};

/** @returns true if an order names its buyer, by an email or a name; one of a customer without both does not */
function isNamed(order: unknown): boolean {
  const { email, contact_email, customer } = readObject(order);
  const { email: own, first_name, last_name } = readObject(customer);
  return [email, contact_email, own, first_name, last_name].some((text) => readText(text) !== null);
}

/** Reads the next page's cursor in links such as `<https://…?page_info=…>; rel="next"`. Null on the last page. */
function cursorIn(links: string): string | null {
  const next = links.split(',').find((link) => /rel="?next/.test(link)) ?? '';
  return (
    parseUrl(next.slice(next.indexOf('<') + 1, next.indexOf('>')))?.searchParams.get('page_info') ?? null
  );
}
