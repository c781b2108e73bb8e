import { decodeHtml } from '../../values/decodeText.js';
import { parseUrl } from '../../values/parseUrl.js';
import { withoutEndSlashes } from '../../values/webUrl.js';

/** A tag of Orderbeacon in the HTML of a page. */
export interface Tag {
  /** Absolute. */
  src: string;
  /** Team of `data-team-id` or of `?team=` in the source; undefined without one. */
  team: string | undefined;
  /** Version in the source; undefined for the current one. */
  version: string | undefined;
  /** The URL that reports go to, without a slash at its end. Null if the script takes it for none. */
  endpoint: string | null;
  integrity: string | undefined;
  /** True if browsers request the file with CORS. */
  isCors: boolean;
  /** The global name of its function. */
  global: string;
  /** In lower case. */
  type: string | undefined;
}

/** The parts of Orderbeacon on a page. */
export interface PageTags {
  tags: Tag[];
  /** The values of `meta` elements that hold a Content-Security-Policy. */
  policies: string[];
}

/** Elements of a kind that are judged. No sound page has as many, and one that was made to be slow has more. */
const elementsAtMost = 50;

/** Finds the tags in the HTML that a server sends. A tag that a script adds later, such as a tag manager's, is not in it. */
export function findTags(html: string, pageUrl: string): PageTags {
  const elements = [...readElements(html)];
  const base = elements.find(({ name, attributes }) => name === 'base' && attributes.has('href'));
  const baseUrl = parseUrl(base?.attributes.get('href') ?? '', pageUrl)?.href ?? pageUrl;
  return {
    tags: elements
      .flatMap(({ name, attributes }) => (name === 'script' && readTag(attributes, baseUrl, pageUrl)) || [])
      .slice(0, elementsAtMost),
    policies: elements
      .filter(({ attributes }) => attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy')
      .slice(0, elementsAtMost)
      .map(({ attributes }) => attributes.get('content') ?? ''),
  };
}

interface PageElement {
  name: 'script' | 'meta' | 'base';
  attributes: Map<string, string>;
}

/** Yields the scripts, metas and bases outside of comments, in one pass: no page can make it slow. */
function* readElements(html: string): Generator<PageElement> {
  const lower = html.toLowerCase();
  const opening = /<!--|<(script|meta|base)(?=[\s/>])/g;
  const rest = /(?:"[^"]*"|'[^']*'|[^<>"'])*>/y;
  for (let found = opening.exec(lower); found; found = opening.exec(lower)) {
    const name = found[1] as PageElement['name'] | undefined;
    let end = opening.lastIndex;
    if (name === undefined) {
      end = lower.indexOf('-->', end);
    } else {
      rest.lastIndex = end;
      if (!rest.test(html)) continue;
      const attributes = readAttributes(html.slice(end, rest.lastIndex - 1));
      const start = rest.lastIndex;
      end = name === 'script' ? lower.indexOf('</script', start) : start;
      if (end >= 0) yield { name, attributes };
    }
    // A comment or a script that never ends holds the rest of the page.
    if (end < 0) return;
    opening.lastIndex = end;
  }
}

const sdkPath = /\/sdk\/(?:([^/]+)\/)?track\.js$/;

function readTag(attributes: Map<string, string>, baseUrl: string, pageUrl: string): Tag | undefined {
  const sent = attributes.get('src');
  const src = sent === undefined ? null : parseUrl(sent, baseUrl);
  if (!src) return undefined;
  const [, version] = sdkPath.exec(src.pathname) ?? [];
  if (!sdkPath.test(src.pathname) && !attributes.has('data-team-id')) return undefined;
  const type = attributes.get('type')?.toLowerCase();
  return {
    src: src.href,
    team: attributes.get('data-team-id')?.trim() || src.searchParams.get('team') || undefined,
    version,
    endpoint: readEndpoint(attributes.get('data-endpoint') || src.origin, pageUrl),
    integrity: attributes.get('integrity'),
    isCors: attributes.has('crossorigin') || type === 'module',
    global: attributes.get('data-global') || 'track',
    type,
  };
}

/** Reads an endpoint as the script does: a path is one of the page's host, whatever `<base>` says. */
function readEndpoint(text: string, pageUrl: string): string | null {
  if (!/^(https?:\/)?\/[^?#]+$/.test(text)) return null;
  const url = parseUrl(text, pageUrl);
  return url && withoutEndSlashes(url.href);
}

function readAttributes(text: string): Map<string, string> {
  const pairs = text.matchAll(/([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  // Of an attribute that stands twice browsers take the first.
  return new Map(
    [...pairs]
      .reverse()
      .map(([, name, double, single, bare]) => [
        name!.toLowerCase(),
        decodeHtml(double ?? single ?? bare ?? ''),
      ]),
  );
}
