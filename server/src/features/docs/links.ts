import { posix } from 'node:path';

/** A file that a link of a document may lead to. */
interface LinkTarget {
  path: string;
  address: string;
}

/** Code of a document, in which nothing is a link, or a link: its words and its target. */
const codeOrLink = /(^```[\s\S]*?^```|`[^`\n]+`)|\[([^[\]]*)\]\(([^)\s]+)\)/gm;

/**
 * Turns the links between files of the repository into links between their addresses. They are relative, so that they
 * also work behind a proxy that adds a path. Of a link to a file that this server does not serve, such as the guide of a feature
 * that it does not have, the words stay.
 * @param from the document
 * @param ending `.md` for links from Markdown to Markdown, empty for links between pages
 */
export function rewriteLinks(
  text: string,
  from: LinkTarget,
  targets: Map<string, LinkTarget>,
  ending: '.md' | '',
): string {
  return text.replace(codeOrLink, (whole: string, code?: string, words?: string, target?: string) => {
    if (code !== undefined || target === undefined || /^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file, anchor] = target.split('#') as [string, string?];
    const found = targets.get(posix.join(posix.dirname(from.path), file));
    if (!found) return words!;
    const address = relativeAddress(from.address, found.address) + (file.endsWith('.md') ? ending : '');
    return `[${words}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Makes the link from one address of the server to another. */
export function relativeAddress(from: string, to: string): string {
  return posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to));
}
