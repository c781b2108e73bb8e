import { statusOf } from '../../src/values/errors.js';
import type { FuzzRequest } from './fuzzRequests.js';
import type { FuzzAnswer } from './fuzzSend.js';

const answersJson = /^\/(svc-api|healthz|readyz)/;

/** Matches texts that only the inside of the server has. */
export const internals =
  /\bselect\b|\binsert\b|\bsyntax\b|postgres|placed_order|node_modules|\.[jt]s:\d|\n\s+at /i;

/** Finds the fault of an answer to any request, by the contract and the rules of HTTP. Null if the answer is right. */
export function fuzzComplaint(request: FuzzRequest, answer: FuzzAnswer): string | null {
  const { method, target } = request;
  const { status, headers, text } = answer;
  if (status >= 500) return 'the server failed';
  if (isOfNode(answer)) return mayBeNoHttp(request) ? null : 'an answer of Node to what is HTTP';
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (headers.get('x-content-type-options') !== 'nosniff') return 'no security headers';
  if (status === 204 || status === 304 || method === 'HEAD') return text === '' ? null : 'a body';
  const isJson = headers.get('content-type') === 'application/json';
  if (!isJson && status >= 400) return 'a refusal that is no JSON';
  if (!isJson) return answersJson.test(target) ? 'no JSON' : null;
  const body = JSON.parse(text);
  if (status >= 400)
    return wrongRefusal(body, status, headers) ?? (internals.test(text) ? 'internals in a refusal' : null);
  const isSuccess = body.success === true && typeof body.data === 'object' && Object.keys(body).length === 2;
  return isSuccess || body.openapi !== undefined ? null : 'not the envelope of success';
}

/** @returns true for the empty refusal that Node, or Hono's adapter, gives before the request reaches the app */
function isOfNode({ status, headers, text }: FuzzAnswer): boolean {
  return [400, 431].includes(status) && text === '' && !headers.has('x-request-id');
}

/** @returns true if the bytes may be no valid HTTP, or if Host and target may make no URL */
function mayBeNoHttp({ framing, headers, target }: FuzzRequest): boolean {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  const isUrl = hosts.length === 1 && URL.canParse(`http://${hosts[0]![1]}`) && !hosts[0]![1].includes('@');
  return framing !== 'sound' || !isUrl || !target.startsWith('/') || target.includes('\\');
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON came
function wrongRefusal(body: any, status: number, headers: Headers): string | null {
  const { success, error = {}, requestId, reportId = '', ...rest } = body;
  const { code, message, hint = '', docs, issues = [], ...more } = error;
  if (success !== false || !message || Object.keys({ ...rest, ...more }).length > 0)
    return 'not the envelope of refusals';
  if (statusOf[code as keyof typeof statusOf] !== status) return 'a code of another status';
  if (!String(docs).endsWith(`/docs/errors/${code}`)) return 'no page about the code';
  if (typeof reportId !== 'string') return 'a reportId that is no text';
  if (requestId !== headers.get('x-request-id')) return 'another requestId than in the header';
  for (const issue of issues)
    if (typeof issue.path !== 'string' || !issue.message) return 'issues without path or message';
  return null;
}
