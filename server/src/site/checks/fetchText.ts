import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The result of a request. */
export interface Fetched {
  status: number;
  headers: Headers;
  text: string;
}

/** The reason why no answer came; `code` is Node's or OpenSSL's. */
export interface FetchFailure {
  code: string;
}

/** Requests a URL once, without following redirects. Never rejects. */
export type FetchText = (url: string) => Promise<Fetched | FetchFailure>;

const limitMs = 10_000;
const charactersAtMost = 5_000_000;

/** Limits of requests. */
interface FetchLimits {
  /** Look-up of host names; default: the system's. */
  lookup?: LookupFunction;
  /** Time for all requests, from the creation of the function on. Each has 10 s of it; default: no limit for all. */
  allWithinMs?: number;
  /** Length of a text, in characters; default 5,000,000. The rest is dropped: a page that long has its tag before it. */
  lengthAtMost?: number;
}

/** Creates a function that requests texts, each over its own connection. */
export function createFetchText({
  lookup,
  allWithinMs = Number.POSITIVE_INFINITY,
  lengthAtMost = charactersAtMost,
}: FetchLimits = {}): FetchText {
  const endsAtMs = performance.now() + allWithinMs;
  return async function fetchText(url) {
    const withinMs = Math.max(0, Math.min(limitMs, Math.ceil(endsAtMs - performance.now())));
    // Not by `AbortSignal.any`: a time limit that only it holds is forgotten once garbage is collected (Node issue 57736).
    const signal = AbortSignal.timeout(withinMs);
    try {
      const response = await get(url, signal, lookup);
      const text = await readBounded(decode(response), lengthAtMost);
      response.destroy();
      return { status: response.statusCode!, headers: headersOf(response), text };
    } catch (error) {
      if (signal.aborted) return { code: `no answer within ${Math.ceil(withinMs / 1000)} s` };
      const { code, message } = error as NodeJS.ErrnoException;
      return { code: code ?? message };
    }
  };
}

/** Requests a text within 10 s, of at most 5,000,000 characters. */
export const fetchText = createFetchText();

function get(url: string, signal: AbortSignal, lookup?: LookupFunction): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = {
    accept: 'text/html,*/*;q=0.8',
    'accept-encoding': 'identity',
    'user-agent': 'orderbeacon-doctor',
  };
  // Without an agent no connection is used again. Without `autoSelectFamily` the look-up would give one address.
  const options = { agent: false, autoSelectFamily: true, headers, signal, ...(lookup && { lookup }) };
  return new Promise((resolve, reject) => {
    request(url, options).on('response', resolve).on('error', reject).end();
  });
}

/** Decompresses a body: some servers compress it unasked. */
function decode(response: IncomingMessage): Readable {
  const decoders = { gzip: createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const createDecoder = decoders[response.headers['content-encoding'] as keyof typeof decoders];
  return createDecoder ? pipeline(response, createDecoder(), () => {}) : response;
}

async function readBounded(body: Readable, lengthAtMost: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > lengthAtMost) break;
  }
  return text.slice(0, lengthAtMost);
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}
