/** The line for the number of documents that a search has found. pages.js rewrites it. */
export const searchResult = '<p id="found" role="status"></p>\n';

/** Characters of a search that are used. */
const charactersAtMost = 200;

/**
 * Inserts the result of a search into the list of all documents, for browsers without a script. A document is found if
 * it has each word.
 * @param page the list, as HTML
 * @param texts the documents' texts, by their links in the list
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
