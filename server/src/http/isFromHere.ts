import type { Context } from 'hono';
import type { AppEnv } from './context.js';

const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** True if a request comes from this machine, and no header says that a proxy has forwarded it. */
export function isFromHere(c: Context<AppEnv>): boolean {
  if (c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined) return false;
  return loopback.test(c.env.incoming.socket.remoteAddress ?? '');
}
