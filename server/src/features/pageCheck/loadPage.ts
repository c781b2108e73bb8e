import { type Check, fail } from '../../commands/check.js';
import type { Answered } from '../../commands/fetchText.js';
import type { GetFailure } from '../../values/getText.js';
import { parseUrl } from '../../values/url.js';
import type { PageContext } from './pageContext.js';

const redirectsAtMost = 5;
/** Characters of a wrong address that a message shows at most. */
const shownCharacters = 200;

/**
 * Loads a page. Follows redirects within the host and port, also to or from `www.`, and from http to https. Resolves
 * with the page and its final URL, or with the failed check.
 */
export async function loadPage(
  url: string,
  { fetchText, fixes }: Pick<PageContext, 'fetchText' | 'fixes'>,
): Promise<{ page: Answered; pageUrl: string } | Check> {
  let pageUrl = url;
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const answer = await fetchText(pageUrl);
    const secureUrl = await findSecure(pageUrl, answer, fetchText);
    if (secureUrl !== null)
      return fail(
        'page',
        `Nothing answers in plain http at ${pageUrl}, but https does.`,
        fixes.check(secureUrl),
      );
    if ('code' in answer) {
      return fail(
        'page',
        `${pageUrl} cannot be reached: ${answer.code}.`,
        fixes.unreachable(answer.code, pageUrl),
      );
    }
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) {
      if (answer.status === 200) return { page: answer, pageUrl };
      const fix =
        'Give the address of a page that anyone can open; the confirmation page often needs an order.';
      return fail('page', `${pageUrl} answers ${answer.status}.`, fix);
    }
    const next = parseUrl(location, pageUrl);
    if (!next || !/^https?:$/.test(next.protocol)) {
      const target = `${location.slice(0, shownCharacters)}${location.length > shownCharacters ? '…' : ''}`;
      return fail(
        'page',
        `${pageUrl} redirects to "${target}", which is no address of a page.`,
        'Correct the redirect on that site.',
      );
    }
    if (!isSameSite(next, new URL(pageUrl))) {
      return fail(
        'page',
        `${pageUrl} redirects to ${next.origin}.`,
        `If that site is yours too: ${fixes.check(next.href)}`,
      );
    }
    pageUrl = next.href;
  }
  return fail('page', `${url} redirects more than ${redirectsAtMost} times.`, 'Open it in a browser.');
}

/**
 * Finds the https address of a page whose http address cannot be reached. Null if https does not answer either. On a
 * TLS port, nginx and Caddy answer plain http with 400; other servers close the connection.
 */
async function findSecure(
  pageUrl: string,
  answer: Answered | GetFailure,
  fetchText: PageContext['fetchText'],
): Promise<string | null> {
  if (!pageUrl.startsWith('http:') || ('status' in answer && answer.status !== 400)) return null;
  const url = pageUrl.replace('http:', 'https:');
  const secure = await fetchText(url);
  // A certificate that this machine does not trust shows that the server speaks TLS.
  return 'status' in secure || /CERT|SIGNATURE|ISSUER/.test(secure.code) ? url : null;
}

/** @returns true for the same host and port. Another port is another program, which may not expect requests from here. */
function isSameSite(next: URL, current: URL): boolean {
  const isUpgrade = current.protocol === 'http:' && next.protocol === 'https:' && !current.port && !next.port;
  const isSamePort = next.protocol === current.protocol && next.port === current.port;
  return plainHost(next) === plainHost(current) && (isSamePort || isUpgrade);
}

const plainHost = ({ hostname }: URL) => hostname.replace(/^www\./, '');
