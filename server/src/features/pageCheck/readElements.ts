import { Parser } from 'htmlparser2';

const checkedNames = ['script', 'meta', 'base', 'body'] as const;

/** An element of a page's HTML. */
export interface PageElement {
  name: (typeof checkedNames)[number];
  attributes: Map<string, string>;
  /** Position in the HTML. */
  at: number;
  /** The text of a script; empty for other elements. */
  text: string;
}

/** The parts of a page's HTML that are judged. */
export interface PageParts {
  elements: PageElement[];
  /** The text outside of scripts. */
  outside: string;
}

/** Reads the scripts, metas, bases and bodies of a page, and its text. */
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
      // Browsers run no script that the page ends in.
      if (isImplied) elements.pop();
      script = undefined;
    },
  });
  parser.end(html);
  return { elements, outside };
}

/** Keeps no element open but scripts. The parser looks through all open ones at each tag: 1 MB of `<div>` took 42 s. */
class FlatParser extends Parser {
  protected override isVoidElement(name: string): boolean {
    return name !== 'script';
  }
}
