import { createHash } from 'node:crypto';
import { displayDomain, entriesAllowing, hostOfUrl } from '../domains.js';
import { type Check, command, fail, pass } from './check.js';
import { readPolicies } from './contentSecurityPolicy.js';
import { type Fetched, fetchText } from './fetchText.js';
import { findTags, type PageTags, type Tag } from './findTags.js';

/** What is known besides the page. */
export interface PageContext {
  /** The server's own URL; null where nobody has told it. */
  publicUrl: string | null;
  /** The team that was asked about, `team_…`; null for that of the tag. */
  teamId: string | null;
  /** A team's allowed domains; null for a team that does not exist, undefined where no database answers. */
  domainsOf(teamId: string): Promise<{ domain: string; isTest: boolean }[] | null | undefined>;
}

const redirectsAtMost = 5;

/**
 * Checks a page as a browser would meet it: the page, the tag, its file, its team, its host, its Content-Security-Policy.
 * Asks nobody but the host of the page and the server.
 */
export async function checkPage(url: string, context: PageContext): Promise<Check[]> {
  const loaded = await load(url);
  if ('check' in loaded) return [loaded];
  const { page, pageUrl } = loaded;
  const found = findTags(page.text, pageUrl);
  const checks = [pass('page', `${pageUrl} answers ${page.status}.`), checkTag(found, context)];
  const tag = found.tags[0];
  if (!tag) return checks;
  checks.push(await checkScript(tag, pageUrl, context.publicUrl));
  if (tag.team) checks.push(...(await checkTeamOf(tag.team, pageUrl, context)));
  return [...checks, ...checkPolicies(page, pageUrl, tag, found)];
}

/** Follows redirects within the host, to or from `www.` too. */
async function load(url: string): Promise<{ page: Fetched; pageUrl: string } | Check> {
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
        'Give the address of a page that anybody can open; the confirmation page often needs an order.';
      return fail('page', `${pageUrl} answers ${answer.status}.`, fix);
    }
    const next = new URL(location, pageUrl);
    if (plainHost(next) !== plainHost(new URL(pageUrl))) {
      return fail(
        'page',
        `${pageUrl} leads to ${next.origin}.`,
        `If that is yours too: ${command} doctor ${next.href}`,
      );
    }
    pageUrl = next.href;
  }
  return fail('page', `${url} redirects without end.`, 'Open it in a browser.');
}

const plainHost = ({ hostname }: URL) => hostname.replace(/^www\./, '');

function checkTag({ tags }: PageTags, { teamId }: PageContext): Check {
  const [tag] = tags;
  const hint = `${command} tag --team ${teamId ?? 'team_…'} prints it.`;
  if (!tag) {
    const fix = `Paste it into the theme's head: ${hint} A tag that a tag manager adds is not in the page's HTML: see data-debug in the README.`;
    return fail('tag', 'The HTML of the page has no tag of Orderbeacon.', fix);
  }
  if (tags.length > 1) return fail('tag', `The page has ${tags.length} tags of Orderbeacon.`, 'Leave one.');
  if (!tag.team) return fail('tag', 'The tag names no team.', `Paste it anew: ${hint}`);
  const version = tag.version ? `pinned to version ${tag.version}` : 'which follows the server’s version';
  if (teamId !== null && teamId !== tag.team) {
    return fail(
      'tag',
      `The tag names the team ${tag.team}, not ${teamId}.`,
      `Paste that of the right team: ${hint}`,
    );
  }
  return pass('tag', `Of ${tag.team}, ${version}.`);
}

async function checkScript(
  { src, integrity }: Tag,
  pageUrl: string,
  publicUrl: string | null,
): Promise<Check> {
  const { origin } = new URL(src);
  const own = [publicUrl ?? pageUrl, pageUrl].map((url) => new URL(url).origin);
  if (!own.includes(origin)) {
    const known =
      publicUrl === null ? 'the server’s address is not known here' : `the server’s address is ${publicUrl}`;
    return fail(
      'script',
      `The tag loads from ${origin}, but ${known}.`,
      'Paste the tag anew, or set PUBLIC_URL.',
    );
  }
  const answer = await fetchText(src);
  if ('code' in answer)
    return fail('script', `${src} cannot be reached: ${answer.code}.`, 'See the check of the public URL.');
  if (answer.status !== 200 || !/javascript/.test(answer.headers.get('content-type') ?? '')) {
    const fix = 'Paste the tag anew; where a proxy serves that path, let it lead to the server.';
    return fail(
      'script',
      `${src} answers ${answer.status}, ${answer.headers.get('content-type') ?? 'no type'}.`,
      fix,
    );
  }
  if (integrity && !isIntegrityOf(integrity, answer.text)) {
    return fail(
      'script',
      `${src} is not the file that the tag’s integrity names: browsers refuse it.`,
      `Paste the tag anew: ${command} tag --pin`,
    );
  }
  return pass('script', `${src} loads${integrity ? ' and is what integrity names' : ''}.`);
}

function isIntegrityOf(integrity: string, text: string): boolean {
  return integrity.split(/\s+/).some((each) => {
    const [, algorithm, hash] = /^(sha256|sha384|sha512)-([^?]+)/.exec(each) ?? [];
    return algorithm !== undefined && createHash(algorithm).update(text).digest('base64') === hash;
  });
}

async function checkTeamOf(teamId: string, pageUrl: string, { domainsOf }: PageContext): Promise<Check[]> {
  const domains = await domainsOf(teamId);
  const host = hostOfUrl(pageUrl);
  if (domains === undefined || host === null) return [];
  if (domains === null) {
    return [fail('host', `No team has the id "${teamId}" that the tag names.`, `See: ${command} team list`)];
  }
  const entry = entriesAllowing(host).find((each) => domains.some(({ domain }) => domain === each));
  if (entry === undefined) {
    const test = isLoopback(host) ? '--test ' : '';
    return [
      fail(
        'host',
        `${host} is not among the team’s domains: its orders are refused.`,
        `${command} domain add --team ${teamId} ${test}${host}`,
      ),
    ];
  }
  const isTest = domains.find(({ domain }) => domain === entry)!.isTest;
  return [
    pass(
      'host',
      `${host} is allowed by ${displayDomain(entry)}; its orders are ${isTest ? 'tests' : 'live'}.`,
    ),
  ];
}

const isLoopback = (host: string) => /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(host);

function checkPolicies(page: Fetched, pageUrl: string, tag: Tag, { inline, policies }: PageTags): Check[] {
  const header = page.headers.get('content-security-policy');
  const texts = [...(header === null ? [] : [header]), ...policies];
  if (texts.length === 0) return [pass('policy', 'The page has no Content-Security-Policy.')];
  const { allowScript, allowInline, allowConnect } = readPolicies(texts, pageUrl);
  const origin = new URL(tag.src).origin;
  const post = `${tag.endpoint}/svc-api/v1/orders`;
  const problems = [
    !allowScript({ url: tag.src, nonce: tag.nonce, integrity: tag.integrity }) &&
      ([
        'script-src stops the script',
        `add ${origin} to script-src, or the policy’s nonce to the tag`,
      ] as const),
    !inline.every(allowInline) &&
      (['script-src stops the lines with track() in the page', 'give them the policy’s nonce'] as const),
    URL.canParse(post) &&
      !allowConnect(post) &&
      (['connect-src stops the report', `add ${new URL(post).origin} to connect-src`] as const),
  ].filter((problem) => problem !== false);
  if (problems.length === 0)
    return [pass('policy', 'The Content-Security-Policy lets script and report pass.')];
  const join = (at: 0 | 1) => problems.map((problem) => problem[at]).join('; ');
  return [fail('policy', `The Content-Security-Policy: ${join(0)}.`, `In the policy: ${join(1)}.`)];
}
