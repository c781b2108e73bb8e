import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { type HeldToken, readAccessToken } from '../../teams/accessTokens.js';
import { sessionMs } from '../../teams/sql/consoleSession.js';
import type { ConsoleContext, ConsoleDeps } from '../context.js';

const name = 'orderbeacon';

/** Sessions of one browser, each of another team. Their tokens are some 650 of the 4,096 bytes that a cookie may have. */
export const sessionsHeldAtMost = 8;
/** In no token, and in a cookie as it is. A cookie of a release that held one token has none. */
const separator = '~';

/** Over https the cookie is `Secure`, and bound to this host by its prefix (RFC 6265bis, section 4.1.3). */
function prefixOf(c: ConsoleContext, { publicUrl, trustedProxies }: ConsoleDeps): 'host' | undefined {
  const isForwarded = trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https';
  return isForwarded || publicUrl().startsWith('https:') ? 'host' : undefined;
}

/** Reads the tokens of the browser's sessions, up to eight: the current one, then the others, the last used one first. */
export function readSessionCookie(c: ConsoleContext, deps: ConsoleDeps): HeldToken[] {
  const texts = (getCookie(c, name, prefixOf(c, deps)) ?? '').split(separator, sessionsHeldAtMost);
  const held = new Map<string, HeldToken>();
  for (const token of texts) {
    const read = readAccessToken(token);
    if (read && !held.has(read.teamId)) held.set(read.teamId, { ...read, token });
  }
  return [...held.values()];
}

/**
 * Gives the tokens to the browser, the current one first; none makes it forget all. No script can read them, and no other
 * site can send them.
 */
export function setSessionCookie(c: ConsoleContext, deps: ConsoleDeps, held: readonly HeldToken[]): void {
  const prefix = prefixOf(c, deps);
  const options = prefix && { prefix };
  if (held.length === 0) {
    deleteCookie(c, name, options);
    return;
  }
  setCookie(c, name, held.map(({ token }) => token).join(separator), {
    ...options,
    maxAge: sessionMs / 1000,
    httpOnly: true,
    sameSite: 'Strict',
  });
}
