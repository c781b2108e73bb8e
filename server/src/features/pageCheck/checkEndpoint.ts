import { type Check, fail, pass } from '../../commands/check.js';
import { judgeProxies, readProxies } from '../../commands/judgeProxies.js';
import type { Tag } from './findTags.js';
import type { PageContext } from './pageContext.js';
import { wordsOfStranger } from './wordsOfStranger.js';

/** Checks that the reports of a tag reach the server, by its answer to a `GET`. */
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
  const lost =
    publicUrl === null || endpoint === publicUrl ? null : await findLostBuyers(endpoint, publicUrl);
  return lost ?? pass('endpoint', `Reports go to ${url}.`);

  /** Finds out if a proxy of the shop hides the buyers' addresses from the server; null if nothing shows that. */
  async function findLostBuyers(endpoint: string, publicUrl: string): Promise<Check | null> {
    const own = readProxies(await fetchText(`${endpoint}/healthz/proxies`));
    if (own === null) return null;
    const verdict = judgeProxies('endpoint', own);
    if (!verdict.ok) return { ...verdict, message: `Reports go to ${url}. ${verdict.message}` };
    if (own.trusted <= own.seen) return null;
    // The address that counts is then a proxy's. It may be that of this machine.
    const direct = readProxies(await fetchText(`${publicUrl}/healthz/proxies`));
    if (direct === null || direct.trusted > direct.seen) return null;
    return fail(
      'endpoint',
      `Reports go to ${url}, and the buyer’s address is lost on the way: all count as the shop’s web server, and share its rate limit.`,
      'Let the shop’s web server send X-Forwarded-For, and the proxy before the server keep it: in Caddy by trusted_proxies. The recipe “The shop’s own host” has the lines.',
    );
  }
}
