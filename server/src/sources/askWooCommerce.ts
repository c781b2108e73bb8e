import { isoTime } from '../values/isoTime.js';
import { readObject, readText } from './payload.js';
import { listIn, type ShopApi } from './shopApi.js';

/** Orders of a page. Plugins keep up to 100 KiB with an order. */
const ordersAtMost = 20;

/**
 * Asks a WooCommerce shop for its orders by their last change (woocommerce.github.io/woocommerce-rest-api-docs). An order
 * that changes meanwhile moves to the end, and all others move up. So a page begins at the last change of the page before,
 * not behind its number, except where all of its orders changed in the same second.
 */
export const askWooCommerce: ShopApi = {
  url: null,
  keyForm: 'ck_…:cs_…, consumer key and consumer secret with a colon between them',
  isKey: /^ck_\w+:cs_\w+$/,
  headers: (apiKey) => ({ authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }),
  path({ sinceMs, cursor }) {
    const query = new URLSearchParams({
      // Without a zone: WordPress would turn a time in UTC into the shop's zone, and compare it with UTC.
      modified_after: isoTime(sinceMs).slice(0, 19),
      dates_are_gmt: 'true',
      orderby: 'modified',
      order: 'asc',
      per_page: String(ordersAtMost),
      page: cursor ?? '1',
    });
    return `/wp-json/wc/v3/orders?${query}`;
  },
  read({ value }, { sinceMs, cursor }) {
    const orders = listIn(value);
    const events = orders.map((payload) => ({ payload, topic: 'order.updated' }));
    if (orders.length < ordersAtMost) return { events, next: null };
    // A second before, because `modified_after` leaves out the time itself.
    const lastMs = Date.parse(`${readText(readObject(orders.at(-1)).date_modified_gmt)}Z`) - 1_000;
    const next =
      lastMs > sinceMs
        ? { sinceMs: lastMs, cursor: null }
        : { sinceMs, cursor: String(Number(cursor ?? 1) + 1) };
    return { events, next };
  },
};
