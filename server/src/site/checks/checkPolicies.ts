import { type Check, pass } from './check.js';
import type { Fetched } from './fetchText.js';
import type { Tag } from './findTags.js';

/** Length of a policy in a message. Some list hundreds of hosts. */
const shownCharacters = 1_000;

/** Shows the Content-Security-Policy of a page, and what it has to list for the tag and its reports. Browsers judge it. */
export function checkPolicies(page: Fetched, tag: Tag, inMetas: readonly string[]): Check {
  const header = page.headers.get('content-security-policy');
  const texts = [...(header === null ? [] : [header]), ...inMetas];
  if (texts.length === 0) return pass('policy', 'The page has no Content-Security-Policy.');
  const policy = texts.join(', ');
  const shown = policy.length > shownCharacters ? `${policy.slice(0, shownCharacters)}…` : policy;
  const scripts = new URL(tag.src).origin;
  const reports = new URL(tag.endpoint ?? tag.src).origin;
  return pass(
    'policy',
    `The page’s Content-Security-Policy has to list ${scripts} in script-src, with the nonce of each inline script, and ${reports} in connect-src. It is: ${shown}`,
  );
}
