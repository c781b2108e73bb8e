import type { RequestListener } from 'node:http';
import { parseUrl } from '../values/url.js';
import type { AnswerDirectly } from './answerDirectly.js';

/** Every path that begins so is answered directly, every other one by Hono. */
const apiPrefix = '/svc-api/v1/';

/** Creates the request listener of both ways to an answer. */
export function createWayIn(answerApi: AnswerDirectly, answerOther: RequestListener): RequestListener {
  return function wayIn(request, response) {
    // HTTP/1.0 needs no Host, and HAProxy's plain check sends none. Hono wants one.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost';
    request.url = withoutDoubleSlashes(request.url!);
    const target = request.url.split('?', 1)[0]!;
    const path = target.startsWith('/') ? target : pathOf(target);
    return path.startsWith(apiPrefix) ? answerApi(request, response, path) : answerOther(request, response);
  };
}

/**
 * Makes one slash of several in the paths that pages ask for: a proxy that adds one would lead orders nowhere. Other paths
 * stay, because a proxy may guard them by their beginning.
 */
function withoutDoubleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  const single = url.replace(/^\/[^?]*/, (path) => path.replace(/\/{2,}/g, '/'));
  return /^\/(?:svc-api|sdk)\//.test(single) ? single : url;
}

/** Reads the path of a target that names a host too (RFC 9112, section 3.2.2); empty for another form. */
function pathOf(target: string): string {
  return (/^https?:\/\//.test(target) && parseUrl(target)?.pathname) || '';
}
