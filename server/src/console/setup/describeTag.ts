import { describeInner } from '../../sources/describeReach.js';
import { isPrivateHost } from '../../values/addresses.js';

/** Says why the pages of a public live shop cannot load the tag. Null for none. */
export function describeTag(
  publicUrl: string,
  domains: readonly { domain: string; isTest: boolean }[],
): string | null {
  const isPublic = domains.some(({ domain, isTest }) => !isTest && !isPrivateHost(domain.replace('*.', '')));
  if (!isPublic) return null;
  const url = new URL(publicUrl);
  const inner = describeInner('A buyer’s browser', url);
  if (inner !== null || url.protocol === 'https:') return inner;
  return 'A page on https:// does not load a script from http://. Set PUBLIC_URL to the server’s address with https://.';
}
