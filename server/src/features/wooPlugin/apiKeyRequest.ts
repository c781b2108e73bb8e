import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import { hourMs } from '../../values/time.js';
import { withoutEndSlashes } from '../../values/url.js';
import type { ListedSource } from '../sources/sql/source.js';

/** A source whose shop is asked for an API key. */
export type AskingSource = Pick<ListedSource, 'teamId' | 'id' | 'shopUrl' | 'apiKey'>;

/** Path to which WooCommerce sends the API key. */
export const apiKeyPath = '/svc-api/v1/woocommerce/key';

/** A request for an API key, read from `user_id`. Its signature is not checked yet. */
export interface ApiKeyRequest {
  teamId: Uuid;
  id: Uuid;
  expiresMs: number;
  signature: string;
}

/**
 * Writes the `user_id` that WooCommerce returns with the API key. It is signed, names the source and its shop, and is
 * valid for an hour. A source with an API key accepts no other one, so a request counts once.
 * @param secret the installation's secret
 * @returns null if the source has an API key, or if the shop or this server has no https
 */
export function writeApiKeyRequest(
  source: AskingSource,
  { secret, nowMs, publicUrl }: { secret: string; nowMs: number; publicUrl: string },
): string | null {
  const isSafe = publicUrl.startsWith('https:') && source.shopUrl?.startsWith('https:');
  if (!isSafe || source.apiKey !== null) return null;
  const expiresMs = nowMs + hourMs;
  const names = [encodeId('team', source.teamId), encodeId('src', source.id), String(expiresMs)];
  return [...names, sign(source, expiresMs, secret)].join('.');
}

/** Reads a `user_id`. @returns null for any other text */
export function readApiKeyRequest(text: string): ApiKeyRequest | null {
  const [team = '', source = '', expires = '', signature = ''] = text.split('.', 4);
  const teamId = decodeId('team', team);
  const id = decodeId('src', source);
  return teamId && id && /^\d{1,15}$/.test(expires)
    ? { teamId, id, expiresMs: Number(expires), signature }
    : null;
}

/** @returns true if this installation made the request for the source and its shop within the last hour */
export function isRightRequest(
  { expiresMs, signature }: ApiKeyRequest,
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

/**
 * Returns the address of the shop's page that asks its owner for approval (WooCommerce REST API, authentication
 * endpoint).
 */
export function approvalPage(
  shopUrl: string,
  { request, publicUrl, returnUrl }: { request: string; publicUrl: string; returnUrl: string },
): string {
  const query = new URLSearchParams({
    app_name: 'Orderbeacon',
    scope: 'read',
    user_id: request,
    return_url: returnUrl,
    callback_url: publicUrl + apiKeyPath,
  });
  return `${withoutEndSlashes(shopUrl)}/wc-auth/v1/authorize?${query}`;
}
