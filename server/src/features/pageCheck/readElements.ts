import { Parser } from 'htmlparser2';

const checkedNames = ['script', 'meta', 'base', 'body'] as const;

/** An element of a page's HTML. */
export interface PageElement {
  name: (typeof checkedNames)[number];
  attributes: Map<string, string>;
  /** Position in the HTML. */
  at: number;
  /** Text of a script; empty for other elements. */
  text: string;
}

/** The parts of a page's HTML that are checked. */
export interface PageParts {
  elements: PageElement[];
  /** Text outside of scripts. */
  outside: string;
}

/** Reads the `script`, `meta`, `base` and `body` elements of a page, and its text. */
export function readElements(html: string): PageParts {
  const elements: PageElement[] = [];
  let outside = '';
  let script: PageElement | undefined;
  const parser = new FlatParser({
    onopentag(tag, attributes) {
      const name = checkedNames.find((each) => each === tag);
      if (!name) return;
      const element = {
        name,
        attributes: new Map(Object.entries(attributes)),
        at: parser.startIndex,
        text: '',
      };
      elements.push(element);
      if (name === 'script') script = element;
    },
    ontext(text) {
      if (script) script.text += text;
      else outside += text;
    },
    onclosetag(tag, isImplied) {
      if (tag !== 'script') return;
      // Browsers do not run a script that is still open at the end of the page.
      if (isImplied) elements.pop();
      script = undefined;
    },
  });
  parser.end(html);
  return { elements, outside };
}

/**
 * A parser of HTML that keeps only scripts open. The usual parser would search all open elements at each tag: 1 MB of `<div>` took
 * 42 s.
 */
class FlatParser extends Parser {
  protected override isVoidElement(name: string): boolean {
    return name !== 'script';
  }
}
