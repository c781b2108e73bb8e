/** Line in which a search says how many documents it has found; pages.js writes it anew. */
export const searchResult = '<p id="found" role="status"></p>\n';

/** No search needs more. */
const charactersAtMost = 200;

/**
 * Writes the documents that have each word of a search into the list of all documents, for browsers without a script.
 * @param page the list, as HTML
 * @param texts the documents' texts, by their links in it
 */
export function answerSearch(page: string, texts: Record<string, string>, query: string): string {
  const words = query.slice(0, charactersAtMost).toLowerCase().split(/\s+/).filter(Boolean);
  const documents = [...page.matchAll(/<strong>(<a href="([^"]+)">[\s\S]*?<\/a>)<\/strong>/g)];
  const found = documents.filter(([, link = '', href = '']) => {
    const text = `${link} ${texts[href] ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const count = `${found.length} of ${documents.length} documents`;
  const links = found.map(([, link]) => link).join(', ');
  return page.replace(
    searchResult,
    () => `<p id="found" role="status">${count}${links && ': '}${links}</p>\n`,
  );
}
