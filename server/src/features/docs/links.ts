import { posix } from 'node:path';

/** A file that a link of a document may lead to. */
interface LinkTarget {
  path: string;
  address: string;
}

/** Code of a document, in which nothing is a link, or the target of a link. */
const codeOrTarget = /(^```[\s\S]*?^```|`[^`\n]+`)|\]\(([^)\s]+)\)/gm;

/**
 * Turns the links between files of the repository into links between their addresses. They are relative, so that they
 * also work behind a proxy that adds a path.
 * @param from the document
 * @param ending `.md` for links from Markdown to Markdown, empty for links between pages
 */
export function rewriteLinks(
  text: string,
  from: LinkTarget,
  places: Map<string, LinkTarget>,
  ending: '.md' | '',
): string {
  return text.replace(codeOrTarget, (whole, code: string | undefined, target: string | undefined) => {
    if (code !== undefined || target === undefined || /^(?:[a-z]+:|#)/.test(target)) return whole;
    const [file, anchor] = target.split('#') as [string, string?];
    const found = places.get(posix.join(posix.dirname(from.path), file));
    if (!found) return whole;
    const address = relativeAddress(from.address, found.address) + (file.endsWith('.md') ? ending : '');
    return `](${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Makes the link from one address of the server to another. */
export function relativeAddress(from: string, to: string): string {
  return posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to));
}
