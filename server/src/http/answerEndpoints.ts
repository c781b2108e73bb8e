import type { RequestListener } from 'node:http';
import type { AnswerDirectly } from './answerDirectly.js';

/** The paths of the three endpoints (contract, section 4). */
export const paths = {
  lookUp: '/svc-api/v1/products/:id',
  enroll: '/svc-api/v1/sequences/enroll',
  orders: '/svc-api/v1/orders',
} as const;

/** The endpoints, each with what answers it. */
export type AnswerEndpoints = Record<keyof typeof paths, AnswerDirectly>;

/** The Host of nearly every request; of any other one Hono's adapter has to find out whether it is one. */
const plainHost = /^[a-z\d._-]+(?::[1-5]?\d{1,4})?$/i;
/** A look-up by a name that needs no decoding. Ids and slugs have no other characters, and a query means nothing. */
const plainLookUp = /^\/svc-api\/v1\/products\/([\w.-]+)(?:\?|$)/;

/**
 * Hands plain requests of the three endpoints to what answers them, and everything else, odd ways to ask for the same
 * among it, to Hono.
 */
export function answerEndpoints(answer: AnswerEndpoints, answerOther: RequestListener): RequestListener {
  const answerPost = new Map<string, AnswerDirectly>([
    [paths.orders, answer.orders],
    [paths.enroll, answer.enroll],
  ]);

  return function answerEndpoints(request, response) {
    const { method, url = '' } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const name = isRead ? plainLookUp.exec(url)?.[1] : undefined;
    const posted = method === 'POST' ? answerPost.get(url) : undefined;
    const answerOne = name === undefined ? posted : answer.lookUp;
    // Asked last: the headers of a request are not read for it before an endpoint is found.
    if (answerOne && plainHost.test(request.headers.host ?? ''))
      return answerOne(request, response, name ?? '');
    return answerOther(request, response);
  };
}
