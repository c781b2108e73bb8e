import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackAddress, isLoopbackHost } from '../values/addresses.js';

/**
 * True if a request comes from this machine, and no header says that a proxy has forwarded it. Its Host has to be `localhost`
 * or an address: a page in a browser on this machine could have a name that leads to 127.0.0.1, and read the answer.
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!isLoopbackHost(host) && isIP(host) === 0) return false;
  return isLoopbackAddress(socket.remoteAddress ?? '');
}
