import { type Check, fail, pass } from '../../commands/check.js';
import type { Answered } from '../../commands/fetchText.js';
import type { MetaPolicy, Tag } from './findTags.js';
import type { PageElement } from './readElements.js';
import {
  allowsInline,
  allowsScript,
  allowsUrl,
  connectNames,
  type Directive,
  findDirective,
  hasNonce,
  isStrict,
  type Policy,
  readPolicies,
  readPolicy,
  scriptNames,
} from './readPolicy.js';

/** The parts of Orderbeacon that a policy must allow. */
export interface CheckedParts {
  tag: Tag | undefined;
  /** The scripts that contain the stub or a call. */
  inline: readonly PageElement[];
}

/** Something that a policy forbids. */
interface Forbidden {
  what: string;
  directive: Directive;
  /** The directive to write, if only `default-src` forbids it. */
  own: string;
  /** The source to add to the directive; undefined if only the page has to change. */
  source?: string;
  /** Advice on the page's HTML; undefined if it need not change. */
  onPage?: string;
}

/** Characters of a directive that a message shows at most. Some directives list hundreds of hosts. */
const shownCharacters = 1_000;

/**
 * Checks that each Content-Security-Policy of a page allows the tag, the inline scripts of Orderbeacon and the reports.
 * A policy that only reports forbids nothing.
 */
export function checkPolicies(
  { headers }: Pick<Answered, 'headers'>,
  pageUrl: string,
  { tag, inline }: CheckedParts,
  metas: readonly MetaPolicy[],
): Check {
  const header = headers.get('content-security-policy');
  const policies = [
    ...(header === null ? [] : readPolicies(header)).map((policy) => ({ policy, from: -1 })),
    ...metas.map(({ text, at }) => ({ policy: readPolicy(text), from: at })),
  ];
  if (policies.length === 0) return pass('policy', 'The page has no Content-Security-Policy.');
  const findings = policies.map(({ policy, from }) => [
    // Browsers ignore `sandbox` in a meta element.
    ...(from < 0 ? judgeSandbox(policy) : []),
    ...(tag && tag.at > from ? judgeTag(policy, tag, pageUrl) : []),
    ...inline.flatMap((script) => (script.at > from ? judgeInline(policy, script) : [])),
    ...(tag ? judgeReports(policy, tag, pageUrl) : []),
  ]);
  const whats = new Set(findings.flat().map(({ what }) => what));
  if (whats.size === 0)
    return pass('policy', 'The page’s Content-Security-Policy lets the script and its reports through.');
  return fail(
    'policy',
    `The page’s Content-Security-Policy: ${[...whats].join(' ')}`,
    [...new Set(findings.flatMap(fixesOf))].join(' '),
  );
}

function judgeSandbox(policy: Policy): Forbidden[] {
  const directive = findDirective(policy, ['sandbox']);
  return ['allow-scripts', 'allow-same-origin'].flatMap((source) =>
    !directive || directive.sources.includes(source)
      ? []
      : [
          {
            what: `“${shown(directive)}” takes the page’s scripts or its origin away.`,
            directive,
            own: 'sandbox',
            source,
          },
        ],
  );
}

/** The nonce in sentences of advice. It differs at each page view, because it protects only if nobody can guess it. */
const perView = 'the policy’s nonce, which is another one at each page view.';

function judgeTag(policy: Policy, tag: Tag, pageUrl: string): Forbidden[] {
  const directive = findDirective(policy, scriptNames);
  if (!directive || allowsScript(directive.sources, tag.src, pageUrl, tag)) return [];
  const what = `“${shown(directive)}” blocks ${tag.src}.`;
  if (hasNonce(directive.sources) || isStrict(directive.sources))
    return [{ what, directive, own: 'script-src', ...nonceFor(directive, 'the tag') }];
  return [{ what, directive, own: 'script-src', source: new URL(tag.src).origin }];
}

function judgeInline(policy: Policy, { attributes, text }: PageElement): Forbidden[] {
  const directive = findDirective(policy, scriptNames);
  if (!directive || allowsInline(directive.sources, text, attributes.get('nonce'))) return [];
  const what = `“${shown(directive)}” blocks the script with the stub or the order.`;
  return [{ what, directive, own: 'script-src', ...nonceFor(directive, 'that script') }];
}

function nonceFor({ sources }: Directive, script: string): Pick<Forbidden, 'source' | 'onPage'> {
  return { onPage: `Give ${script} ${perView}`, ...(!hasNonce(sources) && { source: "'nonce-…'" }) };
}

function judgeReports(policy: Policy, { endpoint }: Tag, pageUrl: string): Forbidden[] {
  const directive = findDirective(policy, connectNames);
  const url = `${endpoint}/svc-api/v1/orders`;
  if (!directive || endpoint === null || allowsUrl(directive.sources, url, pageUrl)) return [];
  const what = `“${shown(directive)}” blocks reports to ${url}.`;
  return [{ what, directive, own: 'connect-src', source: new URL(url).origin }];
}

/** Writes each directive of a policy as it should be: with the missing sources, and without `'none'`. */
function fixesOf(forbidden: readonly Forbidden[]): string[] {
  const wanted = new Map<string, { directive: Directive; sources: Set<string> }>();
  for (const { directive, own, source } of forbidden) {
    if (source === undefined) continue;
    const name = directive.name === 'default-src' ? own : directive.name;
    const entry = wanted.get(name) ?? { directive, sources: new Set<string>() };
    wanted.set(name, entry);
    entry.sources.add(source);
  }
  const directives = [...wanted].map(([name, { directive, sources }]) => {
    const kept = directive.sources.filter((one) => one.toLowerCase() !== "'none'");
    const text = [name, ...kept, ...sources].join(' ');
    if (text.length > shownCharacters) return `Add ${[...sources].join(' ')} to ${directive.name}.`;
    return `Write in the policy: ${text};`;
  });
  return [...directives, ...forbidden.flatMap(({ onPage }) => onPage ?? [])];
}

function shown({ name, sources }: Directive): string {
  const text = [name, ...sources].join(' ');
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
