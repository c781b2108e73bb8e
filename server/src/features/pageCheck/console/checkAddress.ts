import type { Check } from '../../../commands/check.js';
import { createFetchText, type FetchText } from '../../../commands/fetchText.js';
import { createRateLimiter } from '../../../http/rateLimit.js';
import { isLoopbackHost } from '../../../values/addresses.js';
import { command } from '../../../values/command.js';
import { createGetText } from '../../../values/getText.js';
import type { Resolve } from '../../../values/publicLookup.js';
import { createSemaphore } from '../../../values/semaphore.js';
import { parseWebUrl } from '../../../values/url.js';
import type { PageContext } from '../pageContext.js';

/** Time of all requests of a check. */
export const checkMs = 15_000;
const bytesAtMost = 1_000_000;
const addressLengthAtMost = 2_000;
export const checksPerMinute = 10;
/** Limits of concurrent checks. Each may hold a page of 1,000,000 bytes. */
const concurrentChecks = { concurrent: 4, concurrentPerKey: 1, waiting: 8, waitAtMostMs: checkMs };

const portWords = 'only the ports 80 and 443 are tried';
const privateWords = 'it is a private address, which the server does not call';
const nameWords = 'no host has this name';

/** Returns the remedy for a page that the check cannot reach, by the reason. */
export function fixOfReach(code: string, url: string): string {
  const bySelf = `Whoever runs your server checks a page of their own network by this line: ${command} doctor '${url.replaceAll("'", '%27')}'`;
  switch (code) {
    case portWords:
      return `Give an address without a port of its own. ${bySelf}`;
    case privateWords:
      return `Check a page that is on the public internet. ${bySelf}`;
    case nameWords:
      return `Copy the address from the browser that shows the page. ${bySelf}`;
    default:
      return 'Open it in a private window: it must need no password, and exist.';
  }
}

/** The results of a check, or the reason why the address was not checked. */
export type AddressChecks = { checks: Check[] } | { hint: string };

/** Checks a page for a merchant; see `createCheckAddress`. */
export type CheckAddress = (
  address: string,
  context: Omit<PageContext, 'fetchText'>,
) => Promise<AddressChecks>;

/**
 * Creates the check of a page at an address that a merchant enters. A check takes at most 15 s, and a team has ten a
 * minute.
 *
 * It requests this server's own address, and public ones on the ports 80 and 443. Other ports may belong to programs
 * that trust their network.
 * @param options.resolve default: DNS
 * @param options.isOwnMachine set for a server that only its own machine reaches: it then also requests pages of that
 * machine
 */
export function createCheckAddress(
  publicUrl: () => string,
  { resolve, isOwnMachine = false }: { resolve?: Resolve; isOwnMachine?: boolean } = {},
): CheckAddress {
  const { run } = createSemaphore({
    ...concurrentChecks,
    message: 'Too many pages are being checked; try again.',
  });
  const count = createRateLimiter(checksPerMinute);
  const getOwn = createGetText('anywhere');
  const getPublic = createGetText('public', resolve);

  function createFetch(): FetchText {
    const limits = { allWithinMs: checkMs, bytesAtMost };
    const fetchOwn = createFetchText({ ...limits, getText: getOwn });
    const fetchPublic = createFetchText({ ...limits, getText: getPublic });
    const isOwn = (url: string) => new URL(url).origin === new URL(publicUrl()).origin;
    return async (url) => {
      const { port, hostname } = new URL(url);
      if (isOwn(url) || (isOwnMachine && isLoopbackHost(hostname))) return fetchOwn(url);
      if (port !== '') return { code: portWords };
      const fetched = await fetchPublic(url);
      if (!('code' in fetched)) return fetched;
      if (fetched.code === 'PRIVATE_ADDRESS') return { code: privateWords };
      return fetched.code === 'ENOTFOUND' ? { code: nameWords } : fetched;
    };
  }

  return async function checkAddress(address, context) {
    const url = parseAddress(address);
    if (url === null) return { hint: 'write the address of a page, such as https://shop.example/thanks' };
    if (!count(context.teamId ?? '').isAllowed)
      return { hint: `a team has ${checksPerMinute} checks a minute; wait a little` };
    const { checkPage } = await import('../checkPage.js');
    const checks = await run(
      () => checkPage(url, { ...context, fetchText: createFetch() }),
      context.teamId ?? '',
    );
    return { checks };
  };
}

/** Completes an address without a scheme, as browsers do. Null if it is invalid, or has a user name. */
function parseAddress(address: string): string | null {
  const text = address.trim();
  if (text.length > addressLengthAtMost || /[\s\p{Cc}]/u.test(text)) return null;
  const scheme = isLoopbackHost(text.split(/[:/]/, 1)[0]!.toLowerCase()) ? 'http' : 'https';
  const url = parseWebUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  if (!url?.hostname || url.username || url.password) return null;
  url.hash = '';
  return url.href;
}
