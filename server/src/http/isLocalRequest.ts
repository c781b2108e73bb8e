import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackAddress, isLoopbackHost } from '../values/addresses.js';

/**
 * @returns true if a request comes from this machine, and no header shows that a proxy has forwarded it. Its Host must be
 *   `localhost` or an address: a page in a browser on this machine could have a name that resolves to 127.0.0.1, and read the
 *   answer.
 */
export function isLocalRequest({ headers, socket }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!isLoopbackHost(host) && isIP(host) === 0) return false;
  return isLoopbackAddress(socket.remoteAddress ?? '');
}
