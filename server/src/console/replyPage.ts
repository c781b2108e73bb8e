import type { Context } from 'hono';
import type { AppEnv } from '../http/context.js';
import { reply } from '../http/reply.js';

/** Everything from this server alone, no script or style in the page itself, and no framing. Pico's icons are data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What may be put into a page: hono's JSX, which escapes every text. */
export type Markup = { toString(): string };

/**
 * Answers with a page that no cache keeps. `Referrer-Policy` must not be `no-referrer`: then browsers post forms
 * with `Origin: null`.
 */
export function replyPage<Env extends AppEnv>(c: Context<Env>, status: number, page: Markup): Response {
  Object.assign(c.get('headers'), {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
  return reply(c as unknown as Context<AppEnv>, status, `<!doctype html>${page}`, 'text/html; charset=utf-8');
}

/** Sends the browser to another page, by GET whatever this request was (RFC 9110, section 15.4.4). */
export function redirect<Env extends AppEnv>(c: Context<Env>, location: string): Response {
  Object.assign(c.get('headers'), { Location: location, 'Cache-Control': 'no-store' });
  return reply(c as unknown as Context<AppEnv>, 303, null);
}
