import type { Got } from '../../../values/getText.js';
import type { ReceivedEvent } from '../receive/sourceEvent.js';

/** A page of the changes in a shop. */
export interface ShopPage {
  /** Start of the time that the page covers. The pages before contain everything that changed earlier. */
  sinceMs: number;
  /** The provider's cursor of the page; null for the first page from `sinceMs`. */
  cursor: string | null;
  /** Orders or events of the page at most. */
  size: number;
}

/** A position in a shop's list of changes. */
export type ShopPosition = Omit<ShopPage, 'size'>;

/** An answer of a shop's API with the status 200. */
export interface ShopAnswer {
  /** The JSON value. A number that a float cannot hold exactly is a string. */
  value: unknown;
  headers: Got['headers'];
}

/** A webhook as the shop lists it. */
export interface ListedWebhook {
  url: string;
  isOn: boolean;
}

/** A provider's API, by which a source finds orders that no webhook sent. */
export interface ShopApi {
  /** Address of the API; null if each shop has a separate one. */
  url: string | null;
  /** The form of its API keys, for a person. */
  keyForm: string;
  isKey: RegExp;
  /** @returns true if the API key reads only tests. Absent if a key does not show that. */
  isTestKey?(apiKey: string): boolean;
  /** Orders or events of one page. */
  pageSize: number;
  /**
   * Returns path and query of the request for a page.
   * @param events the events that the provider's webhooks send
   */
  path(page: ShopPage, events: readonly string[]): string;
  headers(token: string): Record<string, string>;
  /** Returns the request for an OAuth 2.0 token; null if the API key is a token. Absent if each API key is a token. */
  grant?(apiKey: string): { path: string; body: string } | null;
  /** @returns true if the payload names its buyer. Absent if every key that reads orders also reads buyers. */
  namesBuyer?(payload: unknown): boolean;
  /**
   * Returns the API key as a query, for a host that drops the header `Authorization`. Absent if the provider takes no
   * key in the query.
   * @param code the shop's code for why it refused the key
   * @returns null if the code says that the key itself is wrong
   */
  keyInQuery?(apiKey: string, code: string): URLSearchParams | null;
  /** Request for the shop's list of webhooks. Absent if a key that reads orders never sees them. */
  webhooks?: {
    path: string;
    /**
     * Reads the list of webhooks in an answer.
     * @throws Error if the answer has another form
     */
    read(answer: ShopAnswer): ListedWebhook[];
    /** Set if the provider counts a redirect as delivered. */
    countsRedirects: boolean;
  };
  /**
   * Reads a page.
   * @returns its events, and in `next` the position of the next page, null after the last one
   * @throws Error if the answer has another form
   */
  read(
    answer: ShopAnswer,
    page: ShopPage,
    nowMs: number,
  ): { events: ReceivedEvent[]; next: ShopPosition | null };
  /** Makes an answer with one order or event of which only the id is known, so that `read` finds the position after it. */
  pageOf(id: string): unknown;
}

/** Returns the list in an answer. @throws Error if it is not a list */
export function listIn(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('The answer holds no list.');
  return value;
}
