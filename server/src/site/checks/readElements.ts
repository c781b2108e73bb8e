import { decodeHtml } from '../../values/decodeHtml.js';

/** An element of a page's HTML. */
export interface PageElement {
  name: 'script' | 'meta' | 'base' | 'body';
  attributes: Map<string, string>;
  /** Position in the HTML. */
  at: number;
  /** The text of a script; empty for other elements. */
  text: string;
}

/** The parts of a page's HTML that are judged. */
export interface PageParts {
  elements: PageElement[];
  /** All that is neither such an element nor in a comment. */
  outside: string;
}

/** Reads the scripts, metas, bases and bodies outside of comments, in one pass: no page can make it slow. */
export function readElements(html: string): PageParts {
  const lower = html.toLowerCase();
  const opening = /<!--|<(script|meta|base|body)(?=[\s/>])/g;
  const rest = /(?:"[^"]*"|'[^']*'|[^<>"'])*>/y;
  const elements: PageElement[] = [];
  const outside: string[] = [];
  let from = 0;
  for (let found = opening.exec(lower); found; found = opening.exec(lower)) {
    const name = found[1] as PageElement['name'] | undefined;
    let end = opening.lastIndex;
    let element: PageElement | undefined;
    if (name === undefined) {
      end = lower.indexOf('-->', end);
    } else {
      rest.lastIndex = end;
      if (!rest.test(html)) continue;
      const attributes = readAttributes(html.slice(end, rest.lastIndex - 1));
      const start = rest.lastIndex;
      end = name === 'script' ? lower.indexOf('</script', start) : start;
      element = { name, attributes, at: found.index, text: html.slice(start, Math.max(start, end)) };
    }
    outside.push(html.slice(from, found.index));
    from = end;
    // A comment or a script that never ends holds the rest of the page.
    if (end < 0) return { elements, outside: outside.join('\n') };
    if (element) elements.push(element);
    opening.lastIndex = end;
  }
  outside.push(html.slice(from));
  return { elements, outside: outside.join('\n') };
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
