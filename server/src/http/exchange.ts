import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Uuid } from '../values/ids.js';
import type { ClientOf } from './rateLimit.js';
import { noGuessing } from './securityHeaders.js';

/** The owner of an API key that was seen live, with the key's team. */
export interface KeySender {
  /** SHA-256 of the key in hex. */
  keyHash: string;
  teamId: Uuid;
  host: null;
}

/** A page that sends without a key. It can name any team; the team's domains decide if it may report. */
export interface PageSender {
  keyHash: null;
  teamId: null;
  /** Normalised host from the browser's `Origin` or `Referer`. */
  host: string;
}

export type Sender = KeySender | PageSender;

/** A body as it was sent: its text and the value in it. */
export interface SentBody {
  text: string;
  value: unknown;
}

/** Facts about a request, for its log line and the metrics. They contain no value that a caller made up, except a page's host. */
export interface RequestFacts {
  /** The team, if it exists. */
  team?: string | undefined;
  /** SDK version of a page's report. */
  sdkVersion?: string | undefined;
  /** The error code; for an order `new` or `known`; for a source's event its outcome. */
  outcome?: string | undefined;
  /** The shop system that sent an event. */
  sourceKind?: 'stripe' | 'shopify' | 'woocommerce' | undefined;
  /** Mode of a stored order. */
  mode?: 'live' | 'test' | undefined;
  /** Sender of this report of a stored order. */
  reportedBy?: 'browser' | 'key' | undefined;
  /** The page's host, only for a refusal; null if a request without a key names no host. */
  host?: string | null | undefined;
  /** Paths of the invalid fields, only for a refusal. `*` replaces names that are not in the contract. */
  fields?: string[] | undefined;
}

/** The record of an answered request, for the log and the metrics. */
export interface AnswerLine extends RequestFacts {
  method: string;
  /** The route's pattern, never the path, which can contain anything. */
  route: string;
  status: number;
  /** Milliseconds from the start of the request to its answer. */
  ms: number;
  requestId: string;
}

export type RecordAnswer = (line: AnswerLine) => void;

/** The status and body of an endpoint's answer. Its headers are in `Exchange.headers`. */
export interface DirectAnswer {
  status: number;
  /** JSON; null for an empty body. */
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** A request and the data of its answer. Each step that handles it sets some of the fields. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly requestId: string;
  /** The `performance.now()` of its start. */
  readonly startedMs: number;
  /** Pattern of the route, for the log and the metrics. */
  route: string;
  /** Finds the client of the request, see `clientBucket`. A function, because most requests do not need it. */
  readonly clientOf: ClientOf;
  /** Headers of the answer, also of a refusal. */
  readonly headers: Record<string, string>;
  readonly facts: RequestFacts;
  /** Null until `identifySender` has identified the sender. */
  sender: Sender | null;
  /** Null until the body of an order report is read. */
  sent: SentBody | null;
}

/**
 * Handles a request. Resolves with the answer; rejects with the refusal, or with another error.
 * @param name the decoded parameter of the path; empty if the path has no parameter
 */
export type Handle = (exchange: Exchange, name: string) => Promise<DirectAnswer>;

/** Route of every path that does not exist, as Hono names it. */
const noRoute = '/*';

/** Starts the exchange of a request. */
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

/** Matches ids that a caller may choose: long enough for UUIDs and trace ids, and unable to forge a log line. */
const acceptable = /^[\w.:=+-]{1,128}$/;

/** 72 random bits: no two processes share them. */
const ofThisProcess = randomBytes(9).toString('base64url');
let made = 0;

/**
 * Chooses the id of a request. It is the valid id that the caller sent, so that a chain of services shares one. Otherwise it is a
 * new one, unique among all servers, which takes a tenth of the time of a UUID.
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
