import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** Header of every answer: a browser takes a body for no other type than its `Content-Type`. */
export const noGuessing = { 'X-Content-Type-Options': 'nosniff' } as const;

/** A Content-Security-Policy, as `secureHeaders` takes it. */
type Policy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>;

const none = ["'none'"];
const self = ["'self'"];

/** The policy of a page: scripts, styles and requests of this server alone, none in the page itself, no framing. */
export const pagePolicy = {
  defaultSrc: none,
  scriptSrc: self,
  styleSrc: self,
  // The icons of Pico and Swagger UI are data URLs.
  imgSrc: [...self, 'data:'],
  connectSrc: self,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
} satisfies Policy;

/** Hono's other defaults, which are for servers of pages alone. HSTS is the business of the proxy that speaks TLS. */
const noOthers = {
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/**
 * Goes around every route: an answer that is no page can neither load anything nor be framed (OWASP, REST Security
 * Cheat Sheet).
 */
export function answerHeaders(): MiddlewareHandler {
  const contentSecurityPolicy = { defaultSrc: none, frameAncestors: none } satisfies Policy;
  return secureHeaders({ ...noOthers, contentSecurityPolicy, overwrite: false });
}

/** Goes around pages. `no-referrer` would make browsers post forms with `Origin: null`. */
export function pageHeaders(contentSecurityPolicy: Policy): MiddlewareHandler {
  return secureHeaders({
    ...noOthers,
    contentSecurityPolicy,
    crossOriginOpenerPolicy: 'same-origin',
    referrerPolicy: 'same-origin',
  });
}
