import type { Got } from '../../../values/getText.js';
import { isoTime } from '../../../values/time.js';
import { readObject, readText } from '../receive/payload.js';
import { listIn, type ShopApi, type ShopPage } from './shopApi.js';

/**
 * Orders of one time window at most. A window with more is made shorter, so that a sync that is cut continues after the
 * last whole window.
 */
const ordersOfWindow = 1_000;
/** The factor by which a window is made shorter. Eight cuts turn 30 days into one second. */
const cut = 8;

/** A position in the shop's orders: a time window that begins at `sinceMs`, and a page in it. */
interface Position {
  /** Length of the window; null if it has no end. */
  seconds: number | null;
  /** Number of the window's orders on earlier pages. The last one is not counted, because the next page begins with it again. */
  offset: number;
  /** The highest order id of the pages before; 0 for the first page. */
  lastId: number;
}

/**
 * Asks a WooCommerce shop for its orders by their last change (woocommerce.github.io/woocommerce-rest-api-docs).
 *
 * Orders are read in time windows, and sorted by id within a window. Pages sorted by time would miss orders after the
 * shop's time zone has changed: a shop with posts storage sorts by its wall clock, and compares with UTC.
 *
 * Each page begins with the last order of the page before. If it does not, orders have left the window and others have
 * moved up, so the page before is read again. A page of one order begins after the last order instead.
 */
export const askWooCommerce: ShopApi = {
  url: null,
  keyForm: 'ck_…:cs_…, consumer key and consumer secret with a colon between them',
  isKey: /^ck_\w+:cs_\w+$/,
  headers: (apiKey) => ({ authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` }),
  // This code means that the header `Authorization` arrived and the key is wrong. A key in the query would only end up
  // in logs.
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
  // Plugins store up to 100 KiB with an order.
  pageSize: 20,
  path(page) {
    const { sinceMs, cursor, size } = page;
    const { seconds } = readPosition(cursor);
    const query = new URLSearchParams({
      // `modified_after` excludes its own second, so it is one second before the window.
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
    // The last window has no end, so that orders that change during the sync stay in it.
    return positionAt({ seconds: endMs + 2_000 * seconds >= nowMs ? null : 2 * seconds }, endMs);
  },
  pageOf: (id) => [{ id }],
};

/** Writes a time without a zone. WordPress would convert a UTC time into the shop's zone, and then compare it with UTC. */
function wooTime(ms: number): string {
  return isoTime(ms).slice(0, 19);
}

function readPosition(cursor: string | null): Position {
  return cursor === null ? { seconds: null, offset: 0, lastId: 0 } : JSON.parse(cursor);
}

/** Returns the number of the window's orders that the shop is to skip before a page. */
function offsetOf({ cursor, size }: ShopPage): number {
  const { offset, lastId } = readPosition(cursor);
  return size === 1 && lastId > 0 ? offset + 1 : offset;
}

/** Reads how many orders the window has, by the shop's header; 0 if the header is missing. */
function totalIn(headers: Got['headers']): number {
  return Number(headers.get('x-wp-total')) || 0;
}
