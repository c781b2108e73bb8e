import type { Config } from './config.js';

/** The URL that browsers and integrators use for this server: `PUBLIC_URL`, else made of host and port. */
export function resolvePublicUrl({ publicUrl, host }: Config, port: number): string {
  return publicUrl ?? `http://${urlHost(host)}:${port}`;
}

/** The host in a URL: `localhost` for every interface, brackets around an IPv6 address (RFC 3986, section 3.2.2). */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
