import type { Config } from './config.js';

/** The URL under which browsers and integrators see this server: `PUBLIC_URL`, else made of host and port. */
export function resolvePublicUrl({ publicUrl, host }: Config, port: number): string {
  return publicUrl ?? `http://${urlHost(host)}:${port}`;
}

/** Every interface is no host to link to; an IPv6 address stands in brackets (RFC 3986, section 3.2.2). */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
