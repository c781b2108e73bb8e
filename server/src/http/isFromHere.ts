import type { Context } from 'hono';
import { isLoopbackAddress } from '../values/addresses.js';
import type { AppEnv } from './context.js';

/** True if a request comes from this machine, and no header says that a proxy has forwarded it. */
export function isFromHere(c: Context<AppEnv>): boolean {
  if (c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined) return false;
  return isLoopbackAddress(c.env.incoming.socket.remoteAddress ?? '');
}
