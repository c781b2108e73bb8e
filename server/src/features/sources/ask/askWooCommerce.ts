import type { Got } from '../../../values/getText.js';
import { isoTime } from '../../../values/time.js';
import { readObject, readText } from '../receive/payload.js';
import { listIn, type ShopApi, type ShopPage } from './shopApi.js';

/** Orders of a window of time. One with more is made smaller, so that a sync that is cut goes on behind the last window. */
const ordersOfWindow = 1_000;
/** By which a window is made smaller: 30 days are seconds after eight times. */
const cut = 8;

/** A page: a window of time that begins at `sinceMs`, and a place in it. */
interface Position {
  /** Length of the window; null for one without an end. */
  seconds: number | null;
  /** Orders before this page, but the last one of the page before, with which it begins. */
  offset: number;
  /** The highest id of the pages before; 0 for none. */
  lastId: number;
}

/**
 * Asks a WooCommerce shop for its orders by their last change (woocommerce.github.io/woocommerce-rest-api-docs). They are
 * read by their ids within a window of time, because a shop with posts storage sorts times by its wall clock, and compares
 * them by UTC: after its zone has changed, pages by time would leave orders out. Each page begins with the last order of the
 * one before. Where it does not, orders have left the window, and others have moved up: then the page before is read again. A page
 * of one order begins after the last one.
 */
export const askWooCommerce: ShopApi = {
  url: null,
  keyForm: 'ck_…:cs_…, consumer key and consumer secret with a colon between them',
  isKey: /^ck_\w+:cs_\w+$/,
  headers: (apiKey) => ({ authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }),
  // Where the header has arrived, the key itself is wrong, and is not written into logs for nothing.
  keyInQuery(apiKey, code) {
    if (code === 'woocommerce_rest_authentication_error') return null;
    const [consumer_key = '', consumer_secret = ''] = apiKey.split(':');
    return new URLSearchParams({ consumer_key, consumer_secret });
  },
  webhooks: {
    path: '/wp-json/wc/v3/webhooks?per_page=100',
    read: ({ value }) =>
      listIn(value)
        .map(readObject)
        .filter(({ topic }) => topic === 'order.updated')
        .map(({ delivery_url, status }) => ({
          url: readText(delivery_url) ?? '',
          isOn: status === 'active',
        })),
    countsRedirects: true,
  },
  // Plugins keep up to 100 KiB with an order.
  pageSize: 20,
  path(page) {
    const { sinceMs, cursor, size } = page;
    const { seconds } = readPosition(cursor);
    const query = new URLSearchParams({
      // The time itself is left out, so the window begins a second later.
      modified_after: wooTime(sinceMs - 1_000),
      ...(seconds !== null && { modified_before: wooTime(sinceMs + 1_000 * seconds) }),
      dates_are_gmt: 'true',
      orderby: 'id',
      order: 'asc',
      per_page: String(size),
      offset: String(offsetOf(page)),
    });
    return `/wp-json/wc/v3/orders?${query}`;
  },
  read({ value, headers }, page, nowMs) {
    const { sinceMs, cursor, size } = page;
    const orders = listIn(value);
    const events = orders.map((payload) => ({ payload, topic: 'order.updated' }));
    const { seconds, lastId, ...place } = readPosition(cursor);
    const offset = offsetOf(page);
    const positionAt = (position: Partial<Position>, ms = sinceMs) => ({
      events,
      next: { sinceMs: ms, cursor: JSON.stringify({ seconds, offset: 0, lastId: 0, ...position }) },
    });
    const length = seconds ?? Math.ceil((nowMs - sinceMs) / 1_000);
    if (Math.max(totalIn(headers), offset + orders.length) > ordersOfWindow && length > 1)
      return positionAt({ seconds: Math.ceil(length / cut) });
    const ids = orders.map((order) => Number(readText(readObject(order).id)));
    if (offset > 0 && offset === place.offset && !(ids[0]! <= lastId))
      return positionAt({ offset: Math.max(0, offset - size), lastId });
    if (orders.length === size)
      return positionAt({ offset: offset + size - 1, lastId: Math.max(lastId, ids.at(-1)!) });
    const endMs = sinceMs + 1_000 * length;
    if (seconds === null || endMs >= nowMs) return { events, next: null };
    // The last window has no end: what changes now stays in it.
    return positionAt({ seconds: endMs + 2_000 * seconds >= nowMs ? null : 2 * seconds }, endMs);
  },
  pageOf: (id) => [{ id }],
};

/** A time without a zone: WordPress would turn one in UTC into the shop's zone, and compare it with UTC. */
function wooTime(ms: number): string {
  return isoTime(ms).slice(0, 19);
}

function readPosition(cursor: string | null): Position {
  return cursor === null ? { seconds: null, offset: 0, lastId: 0 } : JSON.parse(cursor);
}

/** Orders of the window before a page. */
function offsetOf({ cursor, size }: ShopPage): number {
  const { offset, lastId } = readPosition(cursor);
  return size === 1 && lastId > 0 ? offset + 1 : offset;
}

/** Orders of the window, as the shop counts them; 0 where it does not say. */
function totalIn(headers: Got['headers']): number {
  return Number(headers.get('x-wp-total')) || 0;
}
