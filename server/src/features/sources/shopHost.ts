import type { IncomingHttpHeaders } from 'node:http';
import { isInnerHost } from '../../values/addresses.js';
import { parseUrl } from '../../values/url.js';
import type { SourceKind } from './source.js';
import type { KnownSource } from './sql/source.js';

/** Headers in which a shop names its host. Stripe names none. */
const hostHeaders: Record<SourceKind, string | null> = {
  stripe: null,
  shopify: 'x-shopify-shop-domain',
  woocommerce: 'x-wc-webhook-source',
};

/** Reads the host of the shop that sent an event; null where its headers do not say it. */
export function readShopHost(kind: SourceKind, headers: IncomingHttpHeaders): string | null {
  const header = hostHeaders[kind];
  const sent = header === null ? undefined : headers[header];
  // Node reads headers as Latin-1, and WordPress writes its address in UTF-8.
  return typeof sent === 'string' ? hostIn(Buffer.from(sent, 'latin1').toString()) : null;
}

/** Lists the hosts of a source's shop: those that a person has allowed or its first event said, else that of its address. */
export function hostsOf({ kind, shopUrl, shopHosts }: KnownSource): string[] {
  if (shopHosts.length > 0) return shopHosts;
  const url = parseUrl(shopUrl ?? '');
  // An inner address leads to a shop that buyers know by another one, and Shopify's events name no host but this.
  const isIts = kind === 'shopify' ? url?.hostname.endsWith('.myshopify.com') : url && !isInnerHost(url);
  return url && isIts ? [hostIn(url.href)!] : [];
}

/** The host in an address or a host name, without `www.`; null for a text that is neither. */
function hostIn(text: string): string | null {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url?.hostname.replace(/\.$/, '').replace(/^www\./, '') || null;
}
