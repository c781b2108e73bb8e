import type { IncomingMessage, RequestListener } from 'node:http';
import { ApiError } from '../values/errors.js';
import { parseUrl } from '../values/parseUrl.js';
import type { DescribeRefusal } from './answerBadHttp.js';
import type { AnswerDirectly } from './answerDirectly.js';

/** Every path that begins so is answered directly, every other one by Hono. */
const apiPrefix = '/svc-api/v1/';

/**
 * Makes the one way in. Refuses with 400 what a proxy in front may have understood differently: two Host headers (RFC
 * 9112, section 3.2), and a path that only becomes the one of a route when it is normalised, such as `/docs/../metrics`,
 * `/%6detrics` or `/metrics#`. A rule of a proxy that keeps strangers from a path, or lets them to another, has seen the
 * path as it was sent. A request of HTTP/1.0 needs no Host; HAProxy's plain check sends none.
 * @param answerOther Hono, whose adapter refuses requests without a valid Host or target itself
 */
export function createWayIn(
  answerApi: AnswerDirectly,
  answerOther: RequestListener,
  describeRefusal: DescribeRefusal,
): RequestListener {
  return function wayIn(request, response) {
    const target = cutQuery(request.url!);
    const path = target.startsWith('/') ? target : pathOf(target);
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost';
    const isApi = path.startsWith(apiPrefix);
    const message = complainOf(request, target, isApi);
    if (message === null) return isApi ? answerApi(request, response, path) : answerOther(request, response);
    const refusal = new ApiError('invalid_request', { message });
    const { headers, body } = describeRefusal(refusal);
    response.writeHead(refusal.status, headers).end(body);
  };
}

function cutQuery(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Path of a target that names a host too (RFC 9112, section 3.2.2); empty for another form. */
function pathOf(target: string): string {
  return (/^https?:\/\//.test(target) && parseUrl(target)?.pathname) || '';
}

/**
 * Matches dot segments, backslashes, a fragment, which no request has (RFC 9112, section 3.2), and letters, digits, dots
 * and dashes that are encoded without need (RFC 3986, section 6.2.2).
 */
const denormal = /(?:^|\/)\.{1,2}(?:\/|$)|[\\#]|%(?:2[de]|3\d|[46][1-9a-f]|[57][\da])/i;

/** Describes why a request is refused before it is looked at; null when it is not. */
function complainOf({ rawHeaders, headers }: IncomingMessage, target: string, isApi: boolean): string | null {
  if (denormal.test(target))
    return 'The path is not in its normal form: send it without dot segments, backslashes, "#" and encoded letters.';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'There is more than one Host header.';
  return isApi && !isHost(headers.host ?? '') ? 'The Host header is not valid.' : null;
}

/** Hosts that need no parsing: nearly all. */
const plainHost = /^[a-z\d._-]+(?::[1-5]?\d{1,4})?$/i;

/** True for the Host of a URL: a name or an address, and a port. */
function isHost(text: string): boolean {
  if (plainHost.test(text)) return true;
  return parseUrl(`http://${text}`)?.hostname === text.replace(/:\d+$/, '').toLowerCase();
}
