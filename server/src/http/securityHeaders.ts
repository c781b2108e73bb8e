import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** Header of every answer: a browser then treats a body only as its `Content-Type`. */
export const noGuessing = { 'X-Content-Type-Options': 'nosniff' } as const;

/** A Content-Security-Policy, as `secureHeaders` takes it. */
type Policy = NonNullable<NonNullable<Parameters<typeof secureHeaders>[0]>['contentSecurityPolicy']>;

const none = ["'none'"];
const self = ["'self'"];

/**
 * The policy of a page. Scripts, styles and requests only come from this server, never from the page itself. No other page may
 * frame it.
 */
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

/** Turns off Hono's other defaults, which are for servers that only serve pages. The proxy that handles TLS sets HSTS. */
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
 * Middleware around every route: an answer that is no page can neither load anything nor be framed (OWASP, REST Security Cheat
 * Sheet).
 */
export function answerHeaders(): MiddlewareHandler {
  const contentSecurityPolicy = { defaultSrc: none, frameAncestors: none } satisfies Policy;
  return secureHeaders({ ...noOthers, contentSecurityPolicy, overwrite: false });
}

/** Middleware around pages. Not `no-referrer`, because browsers would then post forms with `Origin: null`. */
export function pageHeaders(contentSecurityPolicy: Policy): MiddlewareHandler {
  return secureHeaders({
    ...noOthers,
    contentSecurityPolicy,
    crossOriginOpenerPolicy: 'same-origin',
    referrerPolicy: 'same-origin',
  });
}
