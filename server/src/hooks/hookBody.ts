import { encodeId } from '../values/ids.js';
import { version } from '../values/version.js';
import type { Hook } from './hook.js';
import type { HookRequest } from './hookAnswer.js';
import type { HookDelivery } from './hookDelivery.js';
import { signHook } from './signature.js';
import { type SlackContent, slackText } from './slackText.js';

/**
 * Writes the body of a delivery, as it is sent.
 * @param data the order or enrollment as it is stored now, or the content of the delivery's row
 */
export function hookBody(
  { format }: Pick<Hook, 'format'>,
  { type, createdAt }: Pick<HookDelivery, 'type' | 'createdAt'>,
  data: unknown,
): string {
  if (format === 'slack') return JSON.stringify({ text: slackText(data as SlackContent) });
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
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
