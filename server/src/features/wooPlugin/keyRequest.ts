import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { hourMs } from '../../values/time.js';
import { withoutEndSlashes } from '../../values/url.js';
import type { ListedSource } from '../sources/sql/source.js';

/** The source that a shop is asked to give a key for. */
export type AskingSource = Pick<ListedSource, 'teamId' | 'id' | 'shopUrl' | 'apiKey'>;

/** The path that WooCommerce sends the key to. */
export const keyPath = '/svc-api/v1/woocommerce/key';

/** The `user_id` of a request for a key, whose signature was not checked yet. */
export interface KeyRequest {
  teamId: Uuid;
  id: Uuid;
  expiresMs: number;
  signature: string;
}

/**
 * Writes the `user_id` that WooCommerce hands back with the key. It is signed, names the source and its shop, and lasts an hour.
 * A source that has a key takes no other one, so a request counts once.
 * @param secret the installation's
 * @returns null where nothing can be asked: the source has a key, or one of the two has no https
 */
export function writeKeyRequest(
  source: AskingSource,
  { secret, nowMs, publicUrl }: { secret: string; nowMs: number; publicUrl: string },
): string | null {
  const isSafe = publicUrl.startsWith('https:') && source.shopUrl?.startsWith('https:');
  if (!isSafe || source.apiKey !== null) return null;
  const expiresMs = nowMs + hourMs;
  const names = [encodeId('team', source.teamId), encodeId('src', source.id), String(expiresMs)];
  return [...names, sign(source, expiresMs, secret)].join('.');
}

/** Reads a `user_id`. Null for a text that is none. */
export function readKeyRequest(text: string): KeyRequest | null {
  const [team = '', source = '', expires = '', signature = ''] = text.split('.', 4);
  const teamId = decodeId('team', team);
  const id = decodeId('src', source);
  return teamId && id && /^\d{1,15}$/.test(expires)
    ? { teamId, id, expiresMs: Number(expires), signature }
    : null;
}

/** True for a request that this installation has made for the source and its shop, within the hour. */
export function isRightRequest(
  { expiresMs, signature }: KeyRequest,
  source: AskingSource,
  { secret, nowMs }: { secret: string; nowMs: number },
): boolean {
  const expected = Buffer.from(sign(source, expiresMs, secret));
  const given = Buffer.from(signature);
  return nowMs <= expiresMs && given.length === expected.length && timingSafeEqual(given, expected);
}

function sign({ teamId, id, shopUrl }: AskingSource, expiresMs: number, secret: string): string {
  const text = JSON.stringify(['woocommerce key', teamId, id, shopUrl, expiresMs]);
  return createHmac('sha256', secret).update(text).digest('base64url');
}

/** The page of the shop on which its owner gives the key (developer.woocommerce.com, REST API, authentication endpoint). */
export function keyPage(
  shopUrl: string,
  { request, publicUrl, returnUrl }: { request: string; publicUrl: string; returnUrl: string },
): string {
  const query = new URLSearchParams({
    app_name: 'Orderbeacon',
    scope: 'read',
    user_id: request,
    return_url: returnUrl,
    callback_url: publicUrl + keyPath,
  });
  return `${withoutEndSlashes(shopUrl)}/wc-auth/v1/authorize?${query}`;
}
