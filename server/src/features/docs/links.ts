import { posix } from 'node:path';

/** A file to which a link of a document may lead. */
interface LinkTarget {
  path: string;
  address: string;
}

/** Code, in which nothing is a link, or a link with its text and its target. */
const codeOrLink = /(^```[\s\S]*?^```|`[^`\n]+`)|\[([^[\]]*)\]\(([^)\s]+)\)/gm;

/**
 * Converts the links between files of the repository into links between their addresses. These are relative, so that
 * they also work behind a proxy that adds a path. If this server does not serve the target, such as the guide of a
 * feature that it lacks, only the text of the link stays.
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

/** Returns the relative link from one address of the server to another. */
export function relativeAddress(from: string, to: string): string {
  return posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to));
}
