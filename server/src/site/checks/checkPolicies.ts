import { type Check, fail, pass } from './check.js';
import { readPolicies } from './contentSecurityPolicy.js';
import type { Fetched } from './fetchText.js';
import type { PageTags, Tag } from './findTags.js';

/** Checks that the Content-Security-Policy of a page allows the tag, its inline scripts and its report. */
export function checkPolicies(
  page: Fetched,
  pageUrl: string,
  tag: Tag,
  { inline, policies }: PageTags,
): Check[] {
  const header = page.headers.get('content-security-policy');
  const texts = [...(header === null ? [] : [header]), ...policies];
  if (texts.length === 0) return [pass('policy', 'The page has no Content-Security-Policy.')];
  const { allowScript, allowInline, allowConnect } = readPolicies(texts, pageUrl);
  const origin = new URL(tag.src).origin;
  const post = tag.endpoint === null ? null : new URL(`${tag.endpoint}/svc-api/v1/orders`);
  const problems = [
    !allowScript({ url: tag.src, nonce: tag.nonce, integrity: tag.integrity }) &&
      ([
        'script-src blocks the script',
        `add ${origin} to script-src, or the policy’s nonce to the tag`,
      ] as const),
    !inline.every(allowInline) &&
      (['script-src blocks the inline script with track()', 'give it the policy’s nonce'] as const),
    post !== null &&
      !allowConnect(post.href) &&
      (['connect-src blocks the report', `add ${post.origin} to connect-src`] as const),
  ].filter((problem) => problem !== false);
  if (problems.length === 0) return [pass('policy', 'The Content-Security-Policy allows script and report.')];
  const join = (at: 0 | 1) => problems.map((problem) => problem[at]).join('; ');
  return [fail('policy', `The Content-Security-Policy: ${join(0)}.`, `In the policy: ${join(1)}.`)];
}
