import { type Check, command, fail } from './check.js';
import { type Fetched, fetchText } from './fetchText.js';

const redirectsAtMost = 5;

/**
 * Loads a page and follows redirects within the host, also to or from `www.`. Resolves with the page and its final URL, or
 * with the failed check.
 */
export async function loadPage(url: string): Promise<{ page: Fetched; pageUrl: string } | Check> {
  let pageUrl = url;
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const answer = await fetchText(pageUrl);
    if ('code' in answer) {
      return fail(
        'page',
        `${pageUrl} cannot be reached: ${answer.code}.`,
        'Open it in a browser on this machine.',
      );
    }
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) {
      if (answer.status === 200) return { page: answer, pageUrl };
      const fix =
        'Give the address of a page that anyone can open; the confirmation page often needs an order.';
      return fail('page', `${pageUrl} answers ${answer.status}.`, fix);
    }
    const next = new URL(location, pageUrl);
    if (plainHost(next) !== plainHost(new URL(pageUrl))) {
      return fail(
        'page',
        `${pageUrl} redirects to ${next.origin}.`,
        `If that site is yours too: ${command} doctor ${next.href}`,
      );
    }
    pageUrl = next.href;
  }
  return fail('page', `${url} redirects more than ${redirectsAtMost} times.`, 'Open it in a browser.');
}

const plainHost = ({ hostname }: URL) => hostname.replace(/^www\./, '');
