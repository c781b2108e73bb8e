import type { Tokens } from 'marked';
import { headingIds } from './headingIds.js';

/** The button that copies the text of the next element. console.js shows it. */
const copyButton =
  '<p class="copy"><button type="button" class="outline secondary" data-copy hidden>Copy</button></p>\n';

/**
 * Converts a document of this repository into HTML. Leaves out comments, which mark the examples that tests run. Wide
 * code, tables and pictures can be scrolled with the keyboard.
 */
export async function toHtml(text: string): Promise<string> {
  const { Marked, Renderer } = await import('marked');
  const ids = headingIds();
  const plain = new Renderer();
  const marked = new Marked({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${ids(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code(token: Tokens.Code) {
        return plain.code.call(this, token).replace('<pre>', `${copyButton}<pre tabindex="0">`);
      },
      codespan(token: Tokens.Codespan) {
        // A long name may break after an underscore.
        return plain.codespan.call(this, token).replaceAll('_', '_<wbr>');
      },
      table(token: Tokens.Table) {
        return `<div class="wide" role="group" aria-label="Table" tabindex="0">${plain.table.call(this, token)}</div>\n`;
      },
      image({ href, text }) {
        return `<span class="wide" role="group" aria-label="Picture" tabindex="0"><img src="${href}" alt="${text}"></span>`;
      },
      tablecell(token: Tokens.TableCell) {
        // An empty heading is of no use to a screen reader.
        return plain.tablecell.call(this, { ...token, header: token.header && token.text !== '' });
      },
    },
  });
  return marked.parse(text);
}
