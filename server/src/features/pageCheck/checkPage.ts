import { type Check, fail, pass } from '../../commands/check.js';
import { closestDomain, displayDomain, hostOfUrl } from '../../core/teams/domains.js';
import { checkEndpoint } from './checkEndpoint.js';
import { checkOrder } from './checkOrder.js';
import { checkPolicies } from './checkPolicies.js';
import { checkScript } from './checkScript.js';
import { findPieces } from './findPieces.js';
import { findTags, type PageTags, type Tag } from './findTags.js';
import { loadPage } from './loadPage.js';
import type { PageContext } from './pageContext.js';
import { readElements } from './readElements.js';

/**
 * Checks a page as a browser sees it. The checks are the page, the tag, the stub and the call, the tag's file, its
 * endpoint, its team, its host and the Content-Security-Policy. Sends requests only to the page's host and to the
 * server.
 */
export async function checkPage(url: string, context: PageContext): Promise<Check[]> {
  const loaded = await loadPage(url, context);
  if ('check' in loaded) return [loaded];
  const { page, pageUrl } = loaded;
  const parts = readElements(page.text);
  const found = findTags(parts.elements, pageUrl);
  const tag = found.tags.find(({ team }) => team === context.teamId) ?? found.tags[0];
  const global = tag?.global ?? 'track';
  const others = found.tags.map((each) => each.global);
  const second = findPieces(parts, global);
  const domains = tag?.team === undefined ? undefined : await context.domainsOf(tag.team);
  const checks = [
    pass('page', `${pageUrl} answers ${page.status}.`),
    checkTag(tag, found, domains === null, context),
    checkOrder(
      second,
      parts.elements,
      { global, others },
      context.fixes.tag(context.teamId ?? tag?.team ?? null),
    ),
  ];
  const inline = second.pieces.map(({ script }) => script);
  const policy = checkPolicies(page, pageUrl, { tag, inline }, found.policies);
  if (!tag) return policy.ok ? checks : [...checks, policy];
  const script = await checkScript(tag, pageUrl, context);
  checks.push(script);
  if (script.ok) checks.push(await checkEndpoint(tag, pageUrl, context));
  // If the team is wrong, the tag has to change, whatever domains that team has.
  if (tag.team && domains && (context.teamId ?? tag.team) === tag.team)
    checks.push(...(await checkHost(tag.team, pageUrl, domains, context)));
  return [...checks, policy];
}

function checkTag(
  tag: Tag | undefined,
  { tags }: PageTags,
  isUnknown: boolean,
  { teamId, fixes }: PageContext,
): Check {
  const hint = fixes.tag(teamId);
  if (!tag) {
    const fix = `Paste it into the theme's head: ${hint} A tag that a tag manager adds is not in the page's HTML: add data-debug to it, and read /docs/sdk/debugging.`;
    return fail('tag', 'The HTML of the page has no tag of Orderbeacon.', fix);
  }
  // Tags of two teams have different names.
  if (new Set(tags.map(({ global }) => global)).size < tags.length)
    return fail('tag', `The page has ${tags.length} tags of Orderbeacon.`, 'Keep one of them.');
  if (tag.hindrance !== null) {
    const message = `Browsers do not run the tag: ${tag.hindrance}, as consent tools and tools that delay scripts write it.`;
    const fix =
      'Exempt the tag there. Orders are reported without consent; data-visitor="off" stores no visitor before it. See /docs/sdk/consent.';
    return fail('tag', message, fix);
  }
  if (!tag.team) return fail('tag', 'The tag names no team.', `Paste it again: ${hint}`);
  if (!tag.team.startsWith('team_'))
    return fail(
      'tag',
      `“${tag.team}” is no team’s id, which begins with team_.`,
      `Paste the tag again: ${hint}`,
    );
  if (isUnknown) {
    const message = `The tag names the team "${tag.team}", which does not exist: every order is refused.`;
    return fail('tag', message, teamId === null ? fixes.team : `Paste the tag of the right team: ${hint}`);
  }
  const version = tag.version ? `pinned to version ${tag.version}` : 'which follows the server’s version';
  if (teamId !== null && teamId !== tag.team) {
    return fail(
      'tag',
      `The tag names the team ${tag.team}, not ${teamId}.`,
      `Paste the tag of the right team: ${hint}`,
    );
  }
  return pass('tag', `The tag of ${tag.team}, ${version}.`);
}

async function checkHost(
  teamId: string,
  pageUrl: string,
  domains: Exclude<Awaited<ReturnType<PageContext['domainsOf']>>, null | undefined>,
  { lastOrderOf, fixes }: PageContext,
): Promise<Check[]> {
  const host = hostOfUrl(pageUrl);
  if (host === null) return [];
  const modes = new Map(domains.map(({ domain, isTest }) => [domain, isTest]));
  const entry = closestDomain(host, modes);
  if (entry === undefined) {
    return [
      fail(
        'host',
        `${host} is not among the team’s domains: its orders are refused.`,
        fixes.allow(teamId, host),
      ),
    ];
  }
  const isTest = modes.get(entry)!;
  const lastAt = await lastOrderOf(teamId, host);
  return [
    pass(
      'host',
      `${host} is allowed by ${displayDomain(entry)}; its orders are ${isTest ? 'tests' : 'live'}. ${lastAt ? `The last one arrived at ${lastAt.toISOString()}` : 'None has arrived in 30 days'}.`,
    ),
  ];
}
