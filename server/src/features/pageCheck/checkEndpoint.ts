import { type Check, fail, pass } from '../../commands/check.js';
import type { Tag } from './findTags.js';
import type { PageContext } from './pageContext.js';
import { wordsOfStranger } from './wordsOfStranger.js';

/** Checks that the reports of a tag lead to the server, which answers a `GET` there in its own way. */
export async function checkEndpoint(
  { endpoint }: Tag,
  pageUrl: string,
  { publicUrl, fetchText, fixes }: Pick<PageContext, 'publicUrl' | 'fetchText' | 'fixes'>,
): Promise<Check> {
  if (endpoint === null) {
    const message = 'The tag’s data-endpoint is neither a URL with https:// nor a path.';
    return fail('endpoint', message, fixes.otherServer);
  }
  const stranger = wordsOfStranger(endpoint, pageUrl, publicUrl);
  if (stranger) return fail('endpoint', `Reports go to ${stranger}.`, fixes.otherServer);
  const url = `${endpoint}/svc-api/v1/orders`;
  const answer = await fetchText(url);
  if ('code' in answer) return fail('endpoint', `${url} cannot be reached: ${answer.code}.`, fixes.server);
  if (answer.status !== 405 || !answer.text.includes('"method_not_allowed"')) {
    return fail(
      'endpoint',
      `${url} answers ${answer.status}, and not as this server does.`,
      'Write the server’s address as the tag’s data-endpoint, or a path that a proxy passes on to the server.',
    );
  }
  return pass('endpoint', `Reports go to ${url}.`);
}
