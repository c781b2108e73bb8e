import { setMaxListeners } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { decodePart } from '../values/text.js';
import { describeStatus } from './describeFailure.js';
import { exchange } from './exchange.js';
import { createHookAgents, type HookAgents } from './hookAgents.js';
import type { HookAnswer, HookRequest } from './hookAnswer.js';
import { parseHookUrl } from './hookUrl.js';
import { parseRetryAfter } from './retryAfter.js';

/** Characters that are kept of an answer's body. UTF-8 needs at most four bytes for each. */
const charactersAtMost = 1_000;

const systemAgents = createHookAgents();

/**
 * Sends a request to a hook's address as a POST. Never rejects. Redirects are not followed. A success is a status of 2xx, as
 * soon as its headers have arrived; only then `error` of the answer is null.
 */
export async function sendHook(request: HookRequest, agents: HookAgents = systemAgents): Promise<HookAnswer> {
  const startedMs = performance.now();
  const parsed = parseHookUrl(request.url, request);
  const answer =
    'hint' in parsed
      ? failed(`The URL cannot be called: ${parsed.hint}.`)
      : await post(parsed.url, request, agents);
  return { ...answer, tookMs: Math.round(performance.now() - startedMs) };
}

type Answered = Omit<HookAnswer, 'tookMs'>;

const failed = (error: string): Answered => ({ status: null, error, answer: null, retryAfterMs: null });

async function post(
  url: string,
  { allowsPrivate, headers, body, signal }: HookRequest,
  agents: HookAgents,
): Promise<Answered> {
  const [makeRequest, agent] = url.startsWith('http:')
    ? [httpRequest, agents.privateHttp]
    : [httpsRequest, allowsPrivate ? agents.privateHttps : agents.publicHttps];
  const options = { method: 'POST', agent, headers: { ...headers, 'accept-encoding': 'identity' }, signal };

  // Concurrent requests share one signal; Node warns of more than ten listeners.
  if (signal) setMaxListeners(0, signal);

  const exchanged = await exchange(() => makeRequest(url, options), body);
  return 'error' in exchanged ? failed(exchanged.error) : outcomeOf(exchanged.response, exchanged.chunks);
}

function outcomeOf({ statusCode, headers }: IncomingMessage, chunks: Buffer[]): Answered {
  const bytes = Buffer.concat(chunks).subarray(0, 4 * charactersAtMost);
  // PostgreSQL stores no NUL. The cut may have left half of a character.
  const text = decodePart(bytes).slice(0, charactersAtMost).replaceAll('\0', '\uFFFD').toWellFormed();
  return {
    status: statusCode!,
    error: describeStatus(statusCode!, headers.location),
    answer: text || null,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
  };
}
