import type { Got } from '../../../values/getText.js';
import type { ReceivedEvent } from '../receive/sourceEvent.js';

/** A page of what changed in a shop. */
export interface ShopPage {
  /** Everything that changed before this time was read with the pages before. */
  sinceMs: number;
  /** The provider's own name of the page; null for the first one of its time. */
  cursor: string | null;
  /** Orders or events of it, at most. */
  size: number;
}

/** A position in a shop's list of changes. */
export type ShopPosition = Omit<ShopPage, 'size'>;

/** An answer of a shop's API with the status 200. */
export interface ShopAnswer {
  /** The JSON value. Numbers that a float would change are texts. */
  value: unknown;
  headers: Got['headers'];
}

/** A webhook as the shop lists it. */
export interface ListedWebhook {
  url: string;
  isOn: boolean;
}

/** A provider's API, from which a source reads orders that no webhook brought. */
export interface ShopApi {
  /** Its address; null where each shop has its own. */
  url: string | null;
  /** The form of its keys, for a person. */
  keyForm: string;
  isKey: RegExp;
  /** True for a key that reads tests alone. Left out where keys do not tell. */
  isTestKey?(apiKey: string): boolean;
  /** The size of its pages. */
  pageSize: number;
  /**
   * Path and query of a page.
   * @param events those that the provider's webhooks send
   */
  path(page: ShopPage, events: readonly string[]): string;
  headers(token: string): Record<string, string>;
  /**
   * The request for a token, of which the answer is that of OAuth 2.0; null for a key that is a token. Left out where each key is
   * one.
   */
  grant?(apiKey: string): { path: string; body: string } | null;
  /** True for a payload that names its buyer. Left out where no key lacks the right to read buyers alone. */
  namesBuyer?(payload: unknown): boolean;
  /**
   * The key as a query, for a host that drops the header `Authorization`. Left out where the provider takes it in no other
   * way.
   * @param code the shop's own word of why it has not taken the key; null where the key itself is wrong
   */
  keyInQuery?(apiKey: string, code: string): URLSearchParams | null;
  /** How it is asked for its webhooks. Left out where a key of orders never sees them. */
  webhooks?: {
    path: string;
    /** @throws Error for an answer of another form */
    read(answer: ShopAnswer): ListedWebhook[];
    /** True where the provider counts a redirect as delivered. */
    countsRedirects: boolean;
  };
  /**
   * Reads a page. `next` is null after the last one.
   * @throws Error for an answer of another form
   */
  read(
    answer: ShopAnswer,
    page: ShopPage,
    nowMs: number,
  ): { events: ReceivedEvent[]; next: ShopPosition | null };
  /** A page of one order or event, of which nothing but its id is known. */
  pageOf(id: string): unknown;
}

/** The list in an answer. @throws Error without one */
export function listIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer holds no list.');
  return value;
}
