import type { IncomingHttpHeaders } from 'node:http';
import { isInnerHost } from '../../values/addresses.js';
import { parseUrl } from '../../values/url.js';
import type { SourceKind } from './source.js';
import type { KnownSource } from './sql/source.js';

/** The request header in which a shop of each kind names its host; null for Stripe, which sends no such header. */
const hostHeaders: Record<SourceKind, string | null> = {
  stripe: null,
  shopify: 'x-shopify-shop-domain',
  woocommerce: 'x-wc-webhook-source',
};

/** Reads the host of the shop that sent an event; null if its headers do not name one. */
export function readShopHost(kind: SourceKind, headers: IncomingHttpHeaders): string | null {
  const header = hostHeaders[kind];
  const sent = header === null ? undefined : headers[header];
  // Node decodes headers as Latin-1, but WordPress writes its address in UTF-8.
  return typeof sent === 'string' ? hostIn(Buffer.from(sent, 'latin1').toString()) : null;
}

/**
 * Lists the hosts of a source's shop. These are the stored ones, which a person allowed or the first event named.
 * Without them, it is the host of the shop's address.
 */
export function hostsOf({ kind, shopUrl, shopHosts }: KnownSource): string[] {
  if (shopHosts.length > 0) return shopHosts;
  const url = parseUrl(shopUrl ?? '');
  // An inner address is not the host that buyers know. Shopify's events only name `.myshopify.com` hosts.
  const isIts = kind === 'shopify' ? url?.hostname.endsWith('.myshopify.com') : url && !isInnerHost(url);
  return url && isIts ? [hostIn(url.href)!] : [];
}

/** Returns the host of an address or a host name, without `www.`; null for another text. */
function hostIn(text: string): string | null {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url?.hostname.replace(/\.$/, '').replace(/^www\./, '') || null;
}
