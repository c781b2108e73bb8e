import type { ConsoleContext, ConsoleDeps } from './context.js';

const sessionDays = 30;

/** How long a session lasts after its last use. */
export const sessionMs = sessionDays * 24 * 60 * 60_000;

/** Whether the browser speaks https: then the cookie is `Secure`, and bound to this very host by its name. */
function isSecure(c: ConsoleContext, { publicUrl, trustedProxies }: ConsoleDeps): boolean {
  const isForwarded = trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https';
  return isForwarded || publicUrl().startsWith('https:');
}

/** The name of the cookie that holds a session's token (RFC 6265bis, section 4.1.3, for the prefix). */
export function sessionCookie(c: ConsoleContext, deps: ConsoleDeps): string {
  return isSecure(c, deps) ? '__Host-orderbeacon' : 'orderbeacon';
}

/** Hands the token to the browser, or takes it back with null. No script can read it, no other site can send it. */
export function setSessionCookie(c: ConsoleContext, deps: ConsoleDeps, token: string | null): void {
  const name = sessionCookie(c, deps);
  const age = token === null ? 0 : sessionMs / 1000;
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  c.get('headers')['Set-Cookie'] =
    `${name}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}
