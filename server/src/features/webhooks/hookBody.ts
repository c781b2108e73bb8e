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
  /** True where private addresses may be called. */
  allowsPrivate: boolean;
  headers: Record<string, string>;
  body: string;
  /** Ends the request early; the result then has an error. */
  signal?: AbortSignal;
}

/** The event with which an owner tries a hook. Hooks of Slack show its message. */
export const testEvent = {
  type: 'hook.test',
  data: { message: 'This is a test by Orderbeacon. Nothing has happened.' },
} as const;

/**
 * Writes the body of a delivery from what it stores. Each attempt of a delivery sends the same one.
 * @param data what it stores; not null
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
 * Writes the content of a body. `order.created` stores the order's row, because it is enqueued by the statement that stores the
 * order; every other event stores the content itself.
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

/** Content of an event as Slack shows it. */
interface SlackContent {
  /** Absent for the event with which a hook is tried. */
  teamName?: string;
  message: string;
}

/** Writes the text of a message to Slack, which takes `<`, `>` and `&` for marks, such as one that calls everybody. */
function slackText({ teamName, message }: SlackContent): string {
  const text = teamName === undefined ? message : `${teamName}: ${message}`;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
