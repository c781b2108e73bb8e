import { parseUrl, withoutEndSlashes } from '../../values/url.js';
import type { PageElement } from './readElements.js';
import { deadType } from './readScript.js';

/** A tag of Orderbeacon in the HTML of a page. */
export interface Tag {
  /** Absolute address of the file. */
  src: string;
  /** Team of `data-team-id`, or of `?team=` in the address; undefined without one. */
  team: string | undefined;
  /** Version in the address; undefined for the current one. */
  version: string | undefined;
  /** The URL to which reports go, without a slash at its end. Null if the script does not accept it. */
  endpoint: string | null;
  integrity: string | undefined;
  /** Set if browsers request the file with CORS. */
  isCors: boolean;
  /** Global name of its function. */
  global: string;
  /** Reason why browsers do not run the tag; null if they do. */
  hindrance: string | null;
  nonce: string | undefined;
  /** Position in the HTML. */
  at: number;
}

/** A Content-Security-Policy in a `meta` element. It applies to what follows the element. */
export interface MetaPolicy {
  text: string;
  /** Position in the HTML. */
  at: number;
}

/** The tags and policies of a page. */
export interface PageTags {
  tags: Tag[];
  /** Policies in the head. Browsers ignore others. */
  policies: MetaPolicy[];
}

/** Elements of one kind that are checked at most. A page without faults has fewer; a hostile one may have very many. */
const elementsAtMost = 50;

/**
 * Finds the tags in the HTML that the page's server sends. That has no tag that a script adds later, such as one of
 * a tag manager.
 */
export function findTags(elements: PageElement[], pageUrl: string): PageTags {
  const base = elements.find(({ name, attributes }) => name === 'base' && attributes.has('href'));
  const baseUrl = parseUrl(base?.attributes.get('href') ?? '', pageUrl)?.href ?? pageUrl;
  const bodyAt = elements.find(({ name }) => name === 'body')?.at ?? Number.POSITIVE_INFINITY;
  return {
    tags: elements
      .flatMap((element) => (element.name === 'script' && readTag(element, baseUrl, pageUrl)) || [])
      .slice(0, elementsAtMost),
    policies: elements
      .filter(
        ({ attributes, at }) =>
          at < bodyAt && attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy',
      )
      .slice(0, elementsAtMost)
      .map(({ attributes, at }) => ({ text: attributes.get('content') ?? '', at })),
  };
}

const sdkPath = /\/sdk\/(?:([^/]+)\/)?track\.js$/;

function readTag(element: PageElement, baseUrl: string, pageUrl: string): Tag | undefined {
  const { attributes, at } = element;
  // Tools that delay scripts move the address into another attribute.
  const hidden = [...attributes].find(([, value]) => sdkPath.test(value.split(/[?#]/, 1)[0]!))?.[0];
  const source = attributes.has('src') ? 'src' : (hidden ?? 'src');
  const sent = attributes.get(source);
  const src = sent === undefined ? null : parseUrl(sent, baseUrl);
  if (!src) return undefined;
  const [, version] = sdkPath.exec(src.pathname) ?? [];
  if (!sdkPath.test(src.pathname) && !attributes.has('data-team-id')) return undefined;
  const dead = deadType(element);
  // Partytown runs this type in a worker.
  const ofType = dead === null || dead === 'text/partytown' ? null : `its type is ${dead}`;
  return {
    src: src.href,
    team: attributes.get('data-team-id')?.trim() || src.searchParams.get('team') || undefined,
    version,
    endpoint: readEndpoint((attributes.get('data-endpoint') || src.origin).trim(), pageUrl),
    integrity: attributes.get('integrity'),
    isCors: attributes.has('crossorigin') || attributes.get('type')?.toLowerCase() === 'module',
    global: attributes.get('data-global') || 'track',
    hindrance: source === 'src' ? ofType : `its address is in ${source}`,
    nonce: attributes.get('nonce'),
    at,
  };
}

/** Reads an endpoint as the script does. A path belongs to the page's host, even if `<base>` names another. */
function readEndpoint(text: string, pageUrl: string): string | null {
  if (!/^(https?:\/)?\/[^?#]+$/i.test(text)) return null;
  const url = parseUrl(text, pageUrl);
  return url && withoutEndSlashes(url.href);
}
