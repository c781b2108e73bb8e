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
  return function answerEndpoints(request, response) {
    const { method, url = '' } = request;
    if (plainHost.test(request.headers.host ?? '')) {
      if (method === 'POST') {
        if (url === paths.orders) return answer.orders(request, response, '');
        if (url === paths.enroll) return answer.enroll(request, response, '');
      } else if (method === 'GET' || method === 'HEAD') {
        const name = plainLookUp.exec(url)?.[1];
        if (name !== undefined) return answer.lookUp(request, response, name);
      }
    }
    return answerOther(request, response);
  };
}
