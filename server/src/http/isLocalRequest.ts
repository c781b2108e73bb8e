import { isIP } from 'node:net';
import type { Context } from 'hono';
import { isLoopbackAddress, isLoopbackHost } from '../values/addresses.js';
import type { AppEnv } from './context.js';

/**
 * True if a request comes from this machine, and no header says that a proxy has forwarded it. Its Host has to be `localhost`
 * or an address: a page in a browser on this machine could have a name that leads to 127.0.0.1, and read the answer.
 */
export function isLocalRequest(c: Context<AppEnv>): boolean {
  if (c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined) return false;
  const host = (c.req.header('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!isLoopbackHost(host) && isIP(host) === 0) return false;
  return isLoopbackAddress(c.env.incoming.socket.remoteAddress ?? '');
}
