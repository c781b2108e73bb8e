import type { Agent } from 'undici';
import { isPrivateName } from './addresses.js';
import { lookupBy, publicOnly, type Resolve } from './publicLookup.js';

/** An answer. */
export interface Got {
  status: number;
  headers: Pick<Headers, 'get'>;
  text: string;
  /** False if the text was longer than allowed, and the rest was dropped. */
  isWhole: boolean;
}

/** The reason why no answer came. `code` is Node's, OpenSSL's, undici's, `PRIVATE_ADDRESS`, or a text. */
export interface GetFailure {
  code: string;
}

/** A request and its limits. */
export interface GetRequest {
  headers: Record<string, string>;
  /** Sent by `POST`; left out for `GET`. */
  body?: string | undefined;
  /** Time for the whole answer. */
  withinMs: number;
  /** Most bytes that are read, after decompression. */
  bytesAtMost: number;
  signal?: AbortSignal | undefined;
}

/** Gets a URL once, without following redirects, within limits of time and bytes. Never rejects. */
export type GetText = (url: string, request: GetRequest) => Promise<Got | GetFailure>;

/**
 * Creates the client for addresses that others name: pages and shops.
 * @param reach `public` refuses private addresses
 * @param resolve finds the public addresses of a host; default: DNS
 */
export function createGetText(reach: 'anywhere' | 'public', resolve?: Resolve): GetText {
  const isPublicOnly = reach === 'public';
  const guard = { connect: { lookup: lookupBy(publicOnly(resolve)), autoSelectFamily: true } };
  let dispatcher: Agent | undefined;
  return async function getText(address, { headers, body, withinMs, bytesAtMost, signal }) {
    const url = new URL(address);
    if (isPublicOnly && isPrivateName(url)) return { code: 'PRIVATE_ADDRESS' };
    // Loaded here, because loading it takes a sixth of the time of a command, and few commands send requests.
    const undici = await import('undici');
    dispatcher ??= new undici.Agent(isPublicOnly ? guard : {});
    const late = AbortSignal.timeout(withinMs);
    try {
      const answer = await undici.fetch(withoutUser(url), {
        dispatcher,
        headers: { ...authorizationOf(url), ...headers },
        ...(body !== undefined && { method: 'POST', body }),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        chunks.push(chunk);
        bytes += chunk.byteLength;
        if (bytes > bytesAtMost) break;
      }
      const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesAtMost));
      return { status: answer.status, headers: answer.headers, text, isWhole: bytes <= bytesAtMost };
    } catch (error) {
      if (late.aborted) return { code: `no answer within ${Math.ceil(withinMs / 1_000)} s` };
      const { cause = error } = error as Error;
      const { code, message } = cause as NodeJS.ErrnoException;
      return { code: typeof code === 'string' ? code : message };
    }
  };
}

/** Removes user and password from a URL, because `fetch` accepts none. Sites that are not public yet often need them. */
function withoutUser(url: URL): URL {
  return Object.assign(new URL(url), { username: '', password: '' });
}

function authorizationOf({ username, password }: URL): { authorization?: string } {
  if (!username && !password) return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}
