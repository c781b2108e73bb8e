import { isIP } from 'node:net';
import { isLoopbackHost } from './loopback.js';

const privateIpv4 = /^(?:0|10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./;
const privateIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/**
 * True for `localhost`, a name below `.localhost` or `.local`, and an address of the machine itself or of a private
 * network, as a URL has them.
 */
export function isPrivateHost(host: string): boolean {
  if (isIP(host) === 4) return privateIpv4.test(host);
  return isLoopbackHost(host) || host.endsWith('.local') || privateIpv6.test(host);
}
