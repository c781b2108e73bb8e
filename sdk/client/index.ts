import type {
  Enrollment,
  EnrollmentRequest,
  FieldsOfYourOwn,
  LineItemInput,
  Order,
  OrderReport,
  PlacedOrder,
  Product,
  Refund,
  RefundRequest,
} from '../src/contract';
import { attempt, type ClientRequest } from './attempt';
import { OrderbeaconError } from './error';

export type {
  Enrollment,
  EnrollmentRequest,
  LineItem,
  Order,
  OrderRefund,
  OrderReport,
  PaymentStatus,
  PlacedOrder,
  Product,
  Refund,
  Source,
  Touch,
} from '../src/contract';
export { type ClientErrorCode, OrderbeaconError } from './error';

/** Options of a client. */
export interface ClientOptions {
  /** The server's URL, with its path if it has one: `https://orders.shop.example`. */
  baseUrl: string;
  /** An API key of the team, `ob_live_…` or `ob_test_…`. Keep it out of browsers. */
  apiKey: string;
  /** The time limit of one attempt, including its answer. Default: 10 seconds. */
  timeoutMs?: number;
  /** The number of times that a failed attempt is repeated. Default: 2, so up to three attempts. */
  retries?: number;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

/** An order report of a backend. */
export interface BackendReport extends Omit<OrderReport, 'orderId' | 'items'>, FieldsOfYourOwn {
  /** The shop's own order or payment id. Reports with the same `orderId` are one order. A number is sent as text. */
  orderId?: string | number | undefined;
  items?: readonly LineItemInput[] | undefined;
}

/** A refund that a backend reports. The API key names the team. */
export interface BackendRefund extends Omit<RefundRequest, 'teamId' | 'orderId' | 'refundId'> {
  /** The shop's own id of the order, its `ord_…` or its `ORD-…`. A number is sent as text. */
  orderId: string | number;
  /** The shop's own id of the refund. Calls with the same `refundId` are one refund. A number is sent as text. */
  refundId: string | number;
}

/** A client with an API key. Every call resolves with typed data or rejects with an `OrderbeaconError`. */
export interface Client {
  products: {
    /** Reads one product of the key's team. Rejects with `product_not_found` if it does not exist. */
    get(idOrSlug: string): Promise<Product>;
  };
  sequences: {
    /** Enrolls a person who exists already. A repeated call returns the same subscription. */
    enroll(request: EnrollmentRequest): Promise<Enrollment>;
  };
  orders: {
    /**
     * Reports an order. It is stored once, even if it has to be sent several times. The server recognizes it by its
     * `orderId`, its `reportId` or the `idempotencyKey`. Without an `idempotencyKey` the client makes one for this
     * call. Give one (at most 255 characters) if your own code may repeat the call after a crash.
     */
    report(report: BackendReport, options?: { idempotencyKey?: string }): Promise<Order>;
    /**
     * Reads an order of the key's mode, live or test, by its `ord_…`, its `ORD-…` or the shop's own id, with its refunds.
     * Rejects with `order_not_found` if it does not exist.
     */
    get(id: string | number): Promise<PlacedOrder>;
    /**
     * Reports that money of an order was given back. Default of `amount`: all that is left of the order. If the order is
     * not known yet, the refund waits for it. Rejects with `invalid_request` if `amount` is more than is left, and with
     * `refund_id_reused` if the `refundId` already has another order or amount.
     */
    refund(refund: BackendRefund): Promise<Refund>;
  };
}

/** The pause before the first repetition. It doubles each time, and up to half of it is removed at random. */
const firstPauseMs = 500;
/** If the server asks for a longer pause, the call fails with the server's answer instead. */
const pauseAtMostMs = 30_000;

/** Checks the URL of a server. Settings such as `process.env` are easily undefined, whatever their types say. @throws TypeError */
function requireUrl(baseUrl: string | undefined): string {
  const url = URL.canParse(baseUrl ?? '') ? new URL(baseUrl!) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  const given = baseUrl ? `it is ${JSON.stringify(String(baseUrl))}` : 'it is missing';
  throw new TypeError(
    `baseUrl must be the URL of the server, such as https://orders.shop.example; ${given}.`,
  );
}

/** Longest time of a timer. One that is set to a longer time ends immediately. */
const timeoutAtMostMs = 2_147_483_647;

/** Checks the numbers of the options, which are NaN if they are read from a setting that is missing. @throws TypeError */
function requireNumbers(timeoutMs: number, retries: number): void {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > timeoutAtMostMs)
    throw new TypeError(`timeoutMs must be a whole number from 1 to ${timeoutAtMostMs}; it is ${timeoutMs}.`);
  if (!(retries >= 0)) throw new TypeError(`retries must be a number from 0 on; it is ${retries}.`);
}

/**
 * Creates a client for Node (20.19 or newer) or another runtime with fetch. It repeats a call if no answer came, or 408,
 * 429 or 5xx, after the time that `Retry-After` names. All operations are safe to repeat.
 * @throws TypeError if `baseUrl` is no http or https URL, `apiKey` is missing or cannot be sent in a header, or a number is invalid
 */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, timeoutMs = 10_000, retries = 2, fetch: send = fetch } = options;
  const api = `${requireUrl(baseUrl).replace(/\/+$/, '')}/svc-api/v1`;
  if (!apiKey) throw new TypeError('apiKey is missing: give a key of the team, ob_live_… or ob_test_….');
  const authorization = { Authorization: `Bearer ${apiKey}` };
  new Headers(authorization);
  requireNumbers(timeoutMs, retries);

  async function call<T>(write: () => ClientRequest): Promise<T> {
    const request = writeRequest(write);
    for (let repeated = 0; ; repeated++) {
      const outcome = await attempt<T>(request, timeoutMs, send);
      if (outcome.status === 'answered') return outcome.data;
      const pauseMs = outcome.retryAfterMs ?? firstPauseMs * 2 ** repeated * (0.5 + Math.random() / 2);
      if (!outcome.isRetryable || repeated >= retries || pauseMs > pauseAtMostMs) throw outcome.error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
    call<T>(() => ({
      method: 'POST',
      url: api + path,
      headers: new Headers({ ...authorization, 'Content-Type': 'application/json', ...headers }),
      body: JSON.stringify(body, bigIntAsText),
    }));

  const get = <T>(path: string, id: string) =>
    call<T>(() => ({
      method: 'GET',
      url: `${api}/${path}/${encodeURIComponent(id)}`,
      headers: new Headers(authorization),
    }));

  return {
    products: {
      get: (idOrSlug) => get<Product>('products', idOrSlug),
    },
    sequences: {
      enroll: (request) => post<Enrollment>('/sequences/enroll', request),
    },
    orders: {
      async report(report, { idempotencyKey } = {}) {
        const key = idempotencyKey ?? (report.reportId === undefined ? crypto.randomUUID() : undefined);
        const { orderId } = report;
        const body = orderId === undefined ? report : { ...report, orderId: asText(orderId) };
        return post<Order>('/orders', body, key === undefined ? {} : { 'Idempotency-Key': key });
      },
      get: async (id) => get<PlacedOrder>('orders', String(id)),
      refund: async ({ orderId, refundId, ...refund }) =>
        post<Refund>('/orders/refunds', { ...refund, orderId: asText(orderId), refundId: asText(refundId) }),
    },
  };
}

/** Writes a request. @throws OrderbeaconError `invalid_request` for a value that no URL, header or JSON can carry */
function writeRequest(write: () => ClientRequest): ClientRequest {
  try {
    return write();
  } catch (cause) {
    throw new OrderbeaconError('invalid_request', `Not sent: ${(cause as Error).message}`, { cause });
  }
}

/** Writes a BigInt as text, because JSON has none. Databases and blockchain libraries give ids as BigInts. */
function bigIntAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Writes a number as text. One that has lost digits is sent unchanged, and the server refuses it. */
function asText(id: string | number): string | number {
  return Number.isSafeInteger(id) ? `${id}` : id;
}
