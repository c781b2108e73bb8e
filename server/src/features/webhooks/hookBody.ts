import { toListedOrder } from '../../core/orders/answer/listedOrder.js';
import type { ListedOrderRow } from '../../core/orders/answer/sql/listOrders.js';
import { encodeId } from '../../values/ids.js';
import { version } from '../../values/version.js';
import type { Hook } from './hook.js';
import type { HookDelivery } from './hookDelivery.js';
import { signHook } from './signature.js';

/** A request to a hook's address. */
export interface HookRequest {
  url: string;
  /** Set if the address may be private. */
  allowsPrivate: boolean;
  headers: Record<string, string>;
  body: string;
  /** Ends the request early; its result then has an error. */
  signal?: AbortSignal;
}

/** The event with which an owner tries a hook. A hook of Slack shows its message. */
export const testEvent = {
  type: 'hook.test',
  data: { message: 'This is a test by Orderbeacon. Nothing has happened.' },
} as const;

/**
 * Writes the body of a delivery from its stored data. Each attempt of a delivery sends the same body.
 * @param data the delivery's stored data; not null
 */
export function hookBody(
  { format }: Pick<Hook, 'format'>,
  { type, createdAt }: Pick<HookDelivery, 'type' | 'createdAt'>,
  data: unknown,
): string {
  const content = deliveryContent(type, data);
  if (format === 'slack') return JSON.stringify({ text: slackText(content as SlackContent) });
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: content });
}

/**
 * Returns the content of a body from the stored data. Data of `order.created` is a row of the order, because the
 * statement that stores the order also enqueues it. Data of every other event is the content itself.
 */
export function deliveryContent(type: string, data: unknown): unknown {
  if (type !== 'order.created') return data;
  const row = data as ListedOrderRow;
  return { ...toListedOrder({ ...row, createdAt: new Date(row.createdAt) }), refunds: [] };
}

/**
 * Makes the signed request of an attempt.
 * @param atMs time of the attempt
 */
export function hookRequest(
  { url, allowsPrivate, secret }: Pick<Hook, 'url' | 'allowsPrivate' | 'secret'>,
  { id }: Pick<HookDelivery, 'id'>,
  body: string,
  atMs: number,
): HookRequest {
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Orderbeacon/${version}`,
    ...signHook(secret, encodeId('msg', id), atMs, body),
  };
  return { url, allowsPrivate, headers, body };
}

/** The content of an event for Slack. */
interface SlackContent {
  /** Name of the team; absent for the test event. */
  teamName?: string;
  message: string;
}

/**
 * Writes the text of a message to Slack. Slack reads `<`, `>` and `&` as markup, for example to notify everybody, so
 * they are escaped.
 */
function slackText({ teamName, message }: SlackContent): string {
  const text = teamName === undefined ? message : `${teamName}: ${message}`;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
