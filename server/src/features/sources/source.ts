import { randomBytes } from 'node:crypto';
import { hashKey, type KeyMode } from '../../core/teams/keys.js';
import type { Uuid } from '../../values/ids.js';

/** Shop systems that can be a source. */
export const sourceKinds = ['stripe', 'shopify', 'woocommerce'] as const;

/** One of `sourceKinds`. */
export type SourceKind = (typeof sourceKinds)[number];

/** Sources of one team at most. */
export const sourcesAtMost = 20;

/** A shop system whose signed webhooks count as reports with an API key of the team. */
export interface ShopSource {
  teamId: Uuid;
  id: Uuid;
  kind: SourceKind;
  /** Set if all of its orders are tests, whatever its events say. */
  isTest: boolean;
  /** The last segment of its URL. */
  token: string;
  /** The secret with which the provider signs; null until it is entered. */
  secret: string | null;
  /** Prefix of the shop's order ids and refund ids, because two shops may count alike. Empty for none. */
  orderIdPrefix: string;
  createdAt: Date;
}

/** Access to a shop's API. */
export interface ShopAccess {
  /** Address of the API, `https://shop.example`; null if the provider has one address for all shops. */
  shopUrl: string | null;
  /** Read-only API key; null if the shop cannot be asked. */
  apiKey: string | null;
  /** Set if the address may be in a private network. */
  allowsPrivate: boolean;
}

/** Makes the token of a source's URL: `src_` and 256 random bits in base64url. */
export function newSourceToken(): string {
  return `src_${randomBytes(32).toString('base64url')}`;
}

/** Makes a signing secret of letters and digits only, because WordPress changes other characters. */
export function newSecret(): string {
  return randomBytes(24).toString('hex');
}

/**
 * Hashes the API key that authorizes a source's reports. The hash is stored in `api_key`, so that revoking, the modes
 * and statements work as for every API key. No client can send a key with this hash, because a token is not a
 * well-formed key.
 */
export function sourceKeyHash(token: string, mode: KeyMode): string {
  return hashKey(`${token}:${mode}`);
}

/** Returns the path of a source's URL. */
export function sourcePath({ token }: Pick<ShopSource, 'token'>): string {
  return `/svc-api/v1/sources/${token}`;
}
