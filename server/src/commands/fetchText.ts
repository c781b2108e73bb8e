import { createGetText, type GetFailure, type GetText, type Got } from '../values/getText.js';

/** The answer to a request. */
export type Answered = Pick<Got, 'status' | 'headers' | 'text'>;

/** Requests a URL once, without following redirects. Never rejects. */
export type FetchText = (url: string) => Promise<Answered | GetFailure>;

const limitMs = 10_000;
const headers = { accept: 'text/html,*/*;q=0.8', 'user-agent': 'orderbeacon-doctor' };

/** Creates a function that requests texts. */
export function createFetchText({
  getText = createGetText('anywhere'),
  allWithinMs = Number.POSITIVE_INFINITY,
  bytesAtMost = 5_000_000,
}: {
  getText?: GetText;
  /** Time for all requests, from the creation of the function on. Default: no limit. Each request has at most 10 s. */
  allWithinMs?: number;
  /** Bytes of a text that are kept. Default: 5,000,000. A page that is longer has its tag in them. */
  bytesAtMost?: number;
} = {}): FetchText {
  const endsAtMs = performance.now() + allWithinMs;
  return (url) => {
    const withinMs = Math.max(0, Math.min(limitMs, Math.ceil(endsAtMs - performance.now())));
    return getText(url, { headers, withinMs, bytesAtMost });
  };
}

/** Requests a text within 10 s, of at most 5,000,000 bytes. */
export const fetchText = createFetchText();
