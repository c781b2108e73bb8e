import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { codedError, lookupBy, publicOnly, type Resolve } from '../../values/publicLookup.js';
import { decodePart } from '../../values/text.js';
import { describeFailure, describeStatus } from './describeFailure.js';
import type { HookRequest } from './hookBody.js';
import { parseHookUrl } from './hookUrl.js';
import { postOn } from './postOn.js';
import { parseRetryAfter } from './schedule.js';

/** Time of a whole request: DNS, connection, TLS, headers and body. */
export const answerMs = 15_000;
/** Time for each address of a host that has several. Node's default of 250 ms is too short for another continent. */
const addressMs = 3_000;
/** Characters of an answer's body that are kept. UTF-8 needs at most four bytes for each. */
const charactersAtMost = 1_000;

/** The result of a request to a hook's address. */
export interface HookResult {
  /** HTTP status; null without an answer. */
  status: number | null;
  /** One sentence on why the request failed; null after 2xx. */
  error: string | null;
  /** Body of the answer, at most 1,000 characters; null if it is empty. */
  answer: string | null;
  /** Time for which the receiver wants no requests, at most a day; null if it named none. */
  retryAfterMs: number | null;
  /** Set if the rest of the answer was not read, because it had too many bytes or pieces; see `postOn`. */
  isCut?: boolean;
  tookMs: number;
}

/** Sends a request to a hook's address as a POST. Never rejects. Does not follow redirects. */
export type SendHook = (request: HookRequest) => Promise<HookResult>;

/** Options of the connections to hooks. */
interface SendOptions {
  /** Looks up the public addresses of a host; default: by DNS. */
  resolvePublic?: Resolve;
  /** Looks up the addresses of a host that may be private; default: the system's look-up, including `/etc/hosts`. */
  resolvePrivate?: Resolve;
  /** Certificates to trust; default: those of Node. */
  ca?: string;
}

/** Creates the function that sends requests to hooks, each on a new connection. */
export function createSendHook({
  resolvePublic,
  resolvePrivate = (host) => lookup(host, { all: true }),
  ca,
}: SendOptions = {}): SendHook {
  const toPublic = publicOnly(resolvePublic);
  return async function sendHook(request) {
    const startedMs = performance.now();
    const parsed = parseHookUrl(request.url, request);
    const result =
      'hint' in parsed
        ? failed(`The URL cannot be called: ${parsed.hint}.`)
        : await post(new URL(parsed.url), request, (url) =>
            openSocket(url, request.allowsPrivate ? resolvePrivate : toPublic, ca),
          );
    return { ...result, tookMs: Math.round(performance.now() - startedMs) };
  };
}

/** Sends a request to a hook's address, with the system's name servers and certificates. */
export const sendHook = createSendHook();

type Timeless = Omit<HookResult, 'tookMs'>;

const failed = (error: string): Timeless => ({ status: null, error, answer: null, retryAfterMs: null });

/** Posts a request. An answer counts once its headers have arrived. Its body is read as far as it arrives in time. */
async function post(
  url: URL,
  { headers, body, signal }: HookRequest,
  open: (url: URL) => Socket,
): Promise<Timeless> {
  if (signal?.aborted) return failed(describeFailure(codedError('ABORT_ERR')));
  let isConnected = false;
  const socket = open(url);
  const end = (code: string) => void socket.destroy(codedError(code));
  const timer = setTimeout(() => end(isConnected ? 'NO_ANSWER' : 'NO_CONNECTION'), answerMs);
  const onAbort = () => end('ABORT_ERR');
  signal?.addEventListener('abort', onAbort);
  try {
    await once(socket, url.protocol === 'https:' ? 'secureConnect' : 'connect');
    isConnected = true;
    const answer = await postOn(socket, url, { headers, body });
    const { location, 'retry-after': retryAfter } = answer.headers;
    const status = answer.statusCode!;
    const text = await readText(answer);
    const isCut = (socket.errored as NodeJS.ErrnoException | null)?.code === 'TOO_LONG';
    return {
      status,
      error: describeStatus(status, location),
      answer: text || null,
      retryAfterMs: parseRetryAfter(status, retryAfter, Date.now()),
      ...(isCut && { isCut }),
    };
  } catch (error) {
    return failed(describeFailure(error as Error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

/** Reads the beginning of a body. If the connection breaks off, keeps what came before. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch {}
  const bytes = Buffer.concat(chunks).subarray(0, 4 * charactersAtMost);
  // PostgreSQL stores no NUL. The cut may have left half of a character.
  return decodePart(bytes).slice(0, charactersAtMost).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Opens a connection to one of the addresses that a look-up finds. */
function openSocket({ protocol, hostname, port }: URL, resolve: Resolve, ca: string | undefined): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const options = {
    host,
    port: Number(port) || (isSecure ? 443 : 80),
    lookup: lookupBy(resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressMs,
  };
  const socket = isSecure
    ? connectTls({ ...options, servername: isIP(host) ? '' : host, ...(ca !== undefined && { ca }) })
    : connect(options);
  return socket.on('error', () => {});
}
