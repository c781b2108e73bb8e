import type { Config } from './config.js';

/** The URL that browsers and integrators use for this server: `PUBLIC_URL`, else made of host and port. */
export function resolvePublicUrl({ publicUrl, host }: Config, port: number): string {
  // Every interface is no host to link to.
  return publicUrl ?? bindUrl(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port);
}

/** The URL of a host and port, with brackets around an IPv6 address (RFC 3986, section 3.2.2). */
export function bindUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
