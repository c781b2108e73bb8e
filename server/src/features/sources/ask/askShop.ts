import type { Got } from '../../../values/getText.js';
import { parseLongJson } from '../../../values/json.js';
import { hourMs } from '../../../values/time.js';
import { eventBounds } from '../receive/readEvents.js';
import type { ShopAnswer } from './shopApi.js';

/** Bytes of one page at most, so also of one order. 50 orders of Shopify have some 600 KiB. */
export const pageBytesAtMost = 4 * 1_048_576;

/** A request to a shop's API. */
export interface ShopRequest {
  url: string;
  headers: Record<string, string>;
  /** Body of a `POST` that asks for a token. Absent for all other requests, which are `GET`. */
  body?: string;
  /** Set if the address may be in a private network. */
  allowsPrivate: boolean;
  signal?: AbortSignal | undefined;
}

/** An answer of a shop, or one sentence on why no answer came. */
export type ShopResponse = (Got & { error?: never }) | { error: string; status?: never };

/** Sends a request to a shop's API, with a limit of time and of bytes. Never rejects. */
export type SendToShop = (request: ShopRequest) => Promise<ShopResponse>;

/** Tries of one page. `pauseMs` is the pause between two tries if the shop names no other. */
const usualTries = 3;
const pauseMs = 2_000;
/** Longest pause that a sync waits for. If the shop asks for a longer one, the sync ends, and the next sync asks again. */
const pauseAtMostMs = 30_000;

/** A fault of a shop that ends a sync. Its message is one sentence for a person. */
export class ShopFault extends Error {
  /** @param keyCode the shop's code for why it refused the API key, empty if it gave none; null for other faults */
  constructor(
    message: string,
    readonly keyCode: string | null = null,
  ) {
    super(message);
  }
}

/** A page that is too large, or has too many values or levels. */
export class PageTooLarge extends ShopFault {
  /** @param answer the headers of the page, and its text or the beginning of the text */
  constructor(
    message: string,
    readonly answer: Pick<Got, 'headers' | 'text'>,
  ) {
    super(message);
  }
}

/**
 * Asks a shop for a page, up to three times unless `triesAtMost` says otherwise.
 * @param requestOf makes the request of each try; the first try is 1
 * @param shop the shop system's name, with which the message of a fault begins
 * @param pause waits that many milliseconds
 * @throws ShopFault, PageTooLarge
 */
export async function askShop(
  requestOf: (time: number) => ShopRequest,
  shop: string,
  {
    send,
    pause,
    triesAtMost = usualTries,
  }: { send: SendToShop; pause: (ms: number) => Promise<void>; triesAtMost?: number | undefined },
): Promise<ShopAnswer> {
  for (let tries = 1; ; tries++) {
    const request = requestOf(tries);
    const answer = await readAnswer(shop, request, await send(request));
    if (!('fault' in answer)) return answer;
    const { fault, isFinal, keyCode, pauseMs: waitMs = pauseMs } = answer;
    if (isFinal || tries === triesAtMost || waitMs > pauseAtMostMs || request.signal?.aborted)
      throw new ShopFault(fault, keyCode);
    await pause(waitMs);
  }
}

type Fault = { fault: string; isFinal: boolean; keyCode?: string; pauseMs?: number };

async function readAnswer(
  shop: string,
  { url, body }: ShopRequest,
  response: ShopResponse,
): Promise<ShopAnswer | Fault> {
  if (response.error !== undefined)
    return { fault: `${shop} gave no answer: ${response.error}`, isFinal: false };
  const { status, headers, text } = response;
  if (body !== undefined && (status === 400 || status === 401 || status === 403)) {
    const [, code = `status ${status}`] = /"error"\s*:\s*"(\w{1,100})"/.exec(text) ?? [];
    const fault = `${shop} gave no token for the client ID and the client secret (${code}): look if both are right, and if the app is installed in this shop and of the same organization.`;
    return { fault, isFinal: true };
  }
  if (status === 401 || status === 403) {
    const isByApi = /^\s*\{/.test(text);
    const fault = isByApi
      ? `${shop} refused the API key (status ${status}): enter a key that may read orders.`
      : `${shop} refused the request (status ${status}), perhaps by a firewall: let it pass “Orderbeacon”.`;
    return { fault, isFinal: true, ...(isByApi && status === 401 && { keyCode: codeIn(text) }) };
  }
  if (status === 404)
    return {
      fault: `${shop} has no API at this address (status 404): check the shop’s address.`,
      isFinal: true,
    };
  if (status === 429) {
    const fault = `${shop} asks for fewer requests (status 429); the next attempt is made within an hour.`;
    return { fault, isFinal: false, pauseMs: readPause(headers.get('retry-after')) };
  }
  const moved = status >= 300 && status < 400 ? originOf(headers.get('location') ?? '', url) : null;
  if (moved !== null && moved !== new URL(url).origin)
    return { fault: `${shop} is at another address: enter ${moved} as that of the shop.`, isFinal: true };
  if (status !== 200) return { fault: `${shop} answered with the status ${status}.`, isFinal: false };
  if (!response.isWhole)
    throw new PageTooLarge(
      `${shop} answered with a page of more than ${pageBytesAtMost / 1_048_576} MiB.`,
      response,
    );
  try {
    return { value: await parseLongJson(text, eventBounds), headers };
  } catch (error) {
    if (error instanceof RangeError)
      throw new PageTooLarge(`${shop} answered with a page of too many values or levels.`, response);
    const fault = `${shop} answered with a page that is no JSON, perhaps that of a firewall or a cache.`;
    return { fault, isFinal: false };
  }
}

/** Reads the code of a refusal such as `{"code":"woocommerce_rest_cannot_view"}`; empty if it has no code. */
function codeIn(text: string): string {
  return /^\s*\{\s*"code"\s*:\s*"(\w{1,100})"/.exec(text)?.[1] ?? '';
}

/** Returns the origin that a redirect leads to; null if the text is not an address. */
export function originOf(location: string, url: string): string | null {
  return URL.canParse(location, url) ? new URL(location, url).origin : null;
}

/** Reads `Retry-After` as milliseconds. A date counts as an hour, a missing header as `pauseMs`. */
function readPause(header: string | null): number {
  if (header === null) return pauseMs;
  return /^\d{1,4}(?:\.\d+)?$/.test(header) ? Number(header) * 1_000 : hourMs;
}
