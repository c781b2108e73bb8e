import type { Enrollment, EnrollmentRequest, Order, OrderReport, Product } from '../src/contract';
import { attempt, type ClientRequest } from './attempt';

export type {
  Enrollment,
  EnrollmentRequest,
  LineItem,
  Order,
  OrderReport,
  Product,
  Source,
} from '../src/contract';
export { type ClientErrorCode, OrderbeaconError } from './error';

/** Who a client speaks to, as whom, and how patiently. */
export interface ClientOptions {
  /** The server's URL, with its path if it has one: `https://orders.shop.example`. */
  baseUrl: string;
  /** A key of the team, `ob_live_…` or `ob_test_…`. Keep it out of browsers. */
  apiKey: string;
  /** How long one attempt may take, its answer included. Default 10 seconds. */
  timeoutMs?: number;
  /** How often a failed attempt is repeated. Default 2, so up to three attempts. */
  retries?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

/** The API with a key. Every call resolves with typed data or rejects with an `OrderbeaconError`. */
export interface Client {
  products: {
    /** Reads one product of the key's team. Rejects with `product_not_found` when there is none. */
    get(idOrSlug: string): Promise<Product>;
  };
  sequences: {
    /** Enrolls a person who exists already; again gives the same subscription. */
    enroll(request: EnrollmentRequest): Promise<Enrollment>;
  };
  orders: {
    /**
     * Reports an order. However often it has to be sent, it is stored once: by its `orderId`, its `reportId`
     * or the `idempotencyKey`, which is made up for this call when none is given. Give one (at most 64
     * characters) when your own code may repeat the call after a crash.
     */
    report(report: OrderReport, options?: { idempotencyKey?: string }): Promise<Order>;
  };
}

/** The pause before the first repetition; it doubles each time, and half of it is left to chance. */
const firstPauseMs = 500;
/** A server that asks for a longer pause is not waited for: the call fails with its answer. */
const pauseAtMostMs = 30_000;

/**
 * Makes a client for Node (20.19 or newer) or any other runtime with fetch. Repeats a call when no answer
 * came, or 408, 429 or 5xx; it waits as long as `Retry-After` says. All three operations are safe to repeat.
 * @throws TypeError when `baseUrl` is no URL or `apiKey` cannot stand in a header
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, fetch: send = fetch } = options;
  const api = `${new URL(baseUrl).href.replace(/\/+$/, '')}/svc-api/v1`;
  const authorization = { Authorization: `Bearer ${apiKey}` };
  new Headers(authorization);

  async function call<T>(request: ClientRequest): Promise<T> {
    for (let repeated = 0; ; repeated++) {
      const outcome = await attempt<T>(request, timeoutMs, send);
      if (outcome.status === 'answered') return outcome.data;
      const pauseMs = outcome.retryAfterMs ?? firstPauseMs * 2 ** repeated * (0.5 + Math.random() / 2);
      if (!outcome.isRetryable || repeated >= retries || pauseMs > pauseAtMostMs) throw outcome.error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
    call<T>({
      method: 'POST',
      url: api + path,
      headers: new Headers({ ...authorization, 'Content-Type': 'application/json', ...headers }),
      body: JSON.stringify(body),
    });

  return {
    products: {
      get: (idOrSlug) =>
        call<Product>({
          method: 'GET',
          url: `${api}/products/${encodeURIComponent(idOrSlug)}`,
          headers: new Headers(authorization),
        }),
    },
    sequences: {
      enroll: (request) => post<Enrollment>('/sequences/enroll', request),
    },
    orders: {
      async report(report, { idempotencyKey } = {}) {
        const key = idempotencyKey ?? (report.reportId === undefined ? crypto.randomUUID() : undefined);
        return post<Order>('/orders', report, key === undefined ? {} : { 'Idempotency-Key': key });
      },
    },
  };
}
