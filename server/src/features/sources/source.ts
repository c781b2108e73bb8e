import { randomBytes } from 'node:crypto';
import { hashKey, type KeyMode } from '../../core/teams/keys.js';
import type { Uuid } from '../../values/ids.js';

/** Shop systems that can be a source. */
export const sourceKinds = ['stripe', 'shopify', 'woocommerce'] as const;

/** One of `sourceKinds`. */
export type SourceKind = (typeof sourceKinds)[number];

/** Sources of one team. */
export const sourcesAtMost = 20;

/** A shop system whose signed webhooks count as key reports of a team. */
export interface ShopSource {
  teamId: Uuid;
  id: Uuid;
  kind: SourceKind;
  /** True when everything that it says is a test. */
  isTest: boolean;
  /** Last part of its URL. */
  token: string;
  /** Secret that the provider signs with; null until it is known. */
  secret: string | null;
  /** Stands before the order ids and refund ids of the shop, because two shops may count alike. Empty for none. */
  orderIdPrefix: string;
  createdAt: Date;
}

/** Where a shop system can be asked for its orders. */
export interface ShopAccess {
  /** Address of its API, `https://shop.example`; null for the provider's own. */
  shopUrl: string | null;
  /** Read-only key of its API; null where it cannot be asked. */
  apiKey: string | null;
  /** True where an address of a private network may be asked. */
  allowsPrivate: boolean;
}

/** Makes the token of a source's URL: `src_` and 256 random bits in base64url. */
export function newSourceToken(): string {
  return `src_${randomBytes(32).toString('base64url')}`;
}

/** Makes a signing secret of letters and digits alone, because WordPress changes other characters. */
export function newSecret(): string {
  return randomBytes(24).toString('hex');
}

/**
 * Hash of the key that vouches for a source's reports. It is stored in `api_key`, so that revoking, the two worlds and the
 * order's own statement work as for every key. Nobody has a key of this hash: a token is not a well-formed key.
 */
export function sourceKeyHash(token: string, mode: KeyMode): string {
  return hashKey(`${token}:${mode}`);
}

/** The path of a source's URL. */
export function sourcePath({ token }: Pick<ShopSource, 'token'>): string {
  return `/svc-api/v1/sources/${token}`;
}
