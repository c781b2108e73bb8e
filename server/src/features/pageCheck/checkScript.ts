import { createHash } from 'node:crypto';
import { type Check, fail, pass } from '../../commands/check.js';
import { isLoopbackHost } from '../../values/addresses.js';
import type { Tag } from './findTags.js';
import type { PageContext } from './pageContext.js';
import { wordsOfStranger } from './wordsOfStranger.js';

/** Checks that the file of a tag comes from the server, loads and matches its `integrity`. */
export async function checkScript(
  { src, integrity, isCors }: Tag,
  pageUrl: string,
  { publicUrl, fetchText, fixes }: Pick<PageContext, 'publicUrl' | 'fetchText' | 'fixes'>,
): Promise<Check> {
  const stranger = wordsOfStranger(src, pageUrl, publicUrl);
  if (stranger) return fail('script', `The tag loads from ${stranger}.`, fixes.otherServer);
  const { protocol, hostname, origin } = new URL(src);
  const page = new URL(pageUrl);
  if (protocol === 'http:' && page.protocol === 'https:' && !isLoopbackHost(hostname)) {
    const message = `${src} has no TLS: browsers do not load it on this page.`;
    return fail('script', message, 'Give the server an address with https, and paste the tag again.');
  }
  // W3C Subresource Integrity, 3.3.4.
  if (integrity && !isCors && origin !== page.origin) {
    const message = 'The tag has integrity without crossorigin: browsers refuse it.';
    return fail('script', message, `Paste the tag again: ${fixes.pinned}`);
  }
  const answer = await fetchText(src);
  if ('code' in answer) return fail('script', `${src} cannot be reached: ${answer.code}.`, fixes.server);
  if (answer.status !== 200 || !/javascript/.test(answer.headers.get('content-type') ?? '')) {
    const fix = 'Paste the tag again. If a proxy serves that path, make it pass requests on to the server.';
    return fail(
      'script',
      `${src} answers ${answer.status}, ${answer.headers.get('content-type') ?? 'no type'}.`,
      fix,
    );
  }
  if (integrity && !isIntegrityOf(integrity, answer.text)) {
    return fail(
      'script',
      `${src} does not match the tag’s integrity: browsers refuse it.`,
      `Paste the tag again: ${fixes.pinned}`,
    );
  }
  return pass('script', `${src} loads${integrity ? ' and matches its integrity' : ''}.`);
}

function isIntegrityOf(integrity: string, text: string): boolean {
  const given = new Set(integrity.split(/\s+/).map((each) => each.split('?', 1)[0]));
  return ['sha256', 'sha384', 'sha512'].some((algorithm) =>
    given.has(`${algorithm}-${createHash(algorithm).update(text).digest('base64')}`),
  );
}
