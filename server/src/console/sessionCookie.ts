import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sessionMs } from '../teams/sql/consoleSession.js';
import type { ConsoleContext, ConsoleDeps } from './context.js';

const name = 'orderbeacon';

/** Over https the cookie is `Secure`, and bound to this host by its prefix (RFC 6265bis, section 4.1.3). */
function prefixOf(c: ConsoleContext, { publicUrl, trustedProxies }: ConsoleDeps): 'host' | undefined {
  const isForwarded = trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https';
  return isForwarded || publicUrl().startsWith('https:') ? 'host' : undefined;
}

/** Reads the session's token. */
export function getSessionCookie(c: ConsoleContext, deps: ConsoleDeps): string | undefined {
  return getCookie(c, name, prefixOf(c, deps));
}

/** Gives the token to the browser. No script can read it, and no other site can send it. */
export function setSessionCookie(c: ConsoleContext, deps: ConsoleDeps, token: string): void {
  const prefix = prefixOf(c, deps);
  setCookie(c, name, token, {
    ...(prefix && { prefix }),
    maxAge: sessionMs / 1000,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/** Makes the browser forget the token. */
export function deleteSessionCookie(c: ConsoleContext, deps: ConsoleDeps): void {
  const prefix = prefixOf(c, deps);
  deleteCookie(c, name, prefix && { prefix });
}
