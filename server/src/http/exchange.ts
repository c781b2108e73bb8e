import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Uuid } from '../values/ids.js';
import type { ClientOf } from './rateLimit.js';
import { noGuessing } from './securityHeaders.js';

/** Holder of an API key that was seen to be live, and the team that the key speaks for. */
export interface KeySender {
  /** SHA-256 of the key in hex. */
  keyHash: string;
  teamId: Uuid;
  host: null;
}

/** Page that sends without a key. It can name any team; the team's domains decide whether it may report. */
export interface PageSender {
  keyHash: null;
  teamId: null;
  /** Normalised host from the browser's `Origin` or `Referer`. */
  host: string;
}

/** Sender of a request. */
export type Sender = KeySender | PageSender;

/** Body as it was sent: its text and the value in it. */
export interface SentBody {
  text: string;
  value: unknown;
}

/** Facts of a request for its log line and the metrics. Never a value that a caller made up, save a page's host. */
export interface RequestFacts {
  /** Team, where it exists. */
  team?: string | undefined;
  /** SDK version of a page's report. */
  sdkVersion?: string | undefined;
  /** Error code; of an order `new` or `known`; of a source's event what became of it. */
  outcome?: string | undefined;
  /** Shop system that sent an event. */
  sourceKind?: 'stripe' | 'shopify' | 'woocommerce' | undefined;
  /** World of a stored order. */
  mode?: 'live' | 'test' | undefined;
  /** Sender of this report of a stored order. */
  reportedBy?: 'browser' | 'key' | undefined;
  /** Page's host, of a refusal only; null when a request without a key names none. */
  host?: string | null | undefined;
  /** Paths of the invalid fields, of a refusal only; `*` stands for names that are not in the contract. */
  fields?: string[] | undefined;
}

/** Line of an answered request, in the log and for the metrics. */
export interface AnswerLine extends RequestFacts {
  method: string;
  /** The route's pattern, never the path, which can hold anything. */
  route: string;
  status: number;
  /** From the begin of the request to its answer. */
  ms: number;
  requestId: string;
}

/** Records an answered request. */
export type RecordAnswer = (line: AnswerLine) => void;

/** Answer of an endpoint. Its headers are those of the exchange. */
export interface DirectAnswer {
  status: number;
  /** JSON; null for none. */
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** One request on its way to its answer. Each field is set by the step that finds it out. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  /** The `performance.now()` of its begin. */
  readonly startedMs: number;
  /** Pattern of the route, for the log and the metrics. */
  route: string;
  /** Finds the client of the request, see `clientBucket`. Most requests need none. */
  readonly clientOf: ClientOf;
  /** Headers of the answer, those of a refusal included. */
  readonly headers: Record<string, string>;
  readonly facts: RequestFacts;
  /** Null until `identifySender` has recognised the sender. */
  sender: Sender | null;
  /** Null until the body of an order report is read. */
  sent: SentBody | null;
}

/**
 * Handles a request. Resolves with the answer; rejects with the refusal, or with the failure.
 * @param name the decoded parameter of the path; empty where it has none
 */
export type Handle = (exchange: Exchange, name: string) => Promise<DirectAnswer>;

/** Route of every path that nothing is served under, as Hono names it. */
const noRoute = '/*';

/** Begins the exchange of a request. */
export function createExchange(incoming: IncomingMessage, clientOf: ClientOf): Exchange {
  const requestId = chooseRequestId(incoming.headers['x-request-id']);
  const headers = { 'X-Request-Id': requestId, ...noGuessing };
  return {
    incoming,
    requestId,
    startedMs: performance.now(),
    route: noRoute,
    clientOf,
    headers,
    facts: {},
    sender: null,
    sent: null,
  };
}

/** Ids that a caller may choose: long enough for UUIDs and trace ids, and unable to forge a log line. */
const acceptable = /^[\w.:=+-]{1,128}$/;

/** 72 random bits: no two processes share them. */
const ofThisProcess = randomBytes(9).toString('base64url');
let made = 0;

/**
 * Chooses the id of a request: the valid one that the caller sent, so that a chain of services shares one, or a new
 * one, unique among all servers. A new one takes a tenth of the time of a UUID.
 * @param sent the request's `X-Request-Id`
 */
function chooseRequestId(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && acceptable.test(sent)) return sent;
  made++;
  return `${ofThisProcess}-${made.toString(36)}`;
}

/** Writes the contract's envelope around the data of a 200, as JSON. */
export function success(data: object): string {
  return JSON.stringify({ success: true, data });
}
