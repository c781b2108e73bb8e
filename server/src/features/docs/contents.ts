import { byGroup, type GuideDocument } from './documents.js';
import { headingsOf } from './headingIds.js';
import { relativeAddress } from './links.js';

/** Address of the page that lists all documents. */
export const contentsAddress = 'docs';

const intro = `Orderbeacon stores each order that a page, a backend or a shop system reports exactly once. These are the documents of the
version that runs here. They need no network. The same text as Markdown is at each address with \`.md\`.`;

/**
 * Writes the list of all documents as Markdown. It has their headings, so that a browser's search finds a page by its
 * content.
 */
export function writeContents(documents: GuideDocument[], ending: '.md' | ''): string {
  const lines = byGroup(documents).flatMap(({ group, ofGroup }) => [
    '',
    `## ${group}`,
    '',
    ...ofGroup.flatMap((document) => entry(document, ending)),
  ]);
  return `# Documentation\n\n${intro}\n${lines.join('\n')}\n`;
}

function entry(document: GuideDocument, ending: '.md' | ''): string[] {
  const address = relativeAddress(contentsAddress, document.address) + ending;
  const headings = document.group === 'Changes' ? [] : headingsOf(document.text, 2);
  const links = headings.map(({ title, id }) => `[${title}](${address}#${id})`);
  return [
    `- **[${document.title}](${address})** ${document.summary}`,
    ...(links.length === 0 ? [] : [`  ${links.join(' · ')}`]),
  ];
}

/** Returns the texts of all documents for the search, by their links in the list. */
export const searchTexts = (documents: GuideDocument[]): Record<string, string> =>
  Object.fromEntries(
    documents.map(({ address, text }) => [
      relativeAddress(contentsAddress, address),
      text.replace(/<!--[\s\S]*?-->|[`*|#]+/g, ' ').replace(/\s+/g, ' '),
    ]),
  );

/** The Markdown version of the API reference: links to `/openapi.json`, to the page that shows it, and to the guide. */
export const apiMarkdown = `# API reference

This server describes its API in [openapi.json](../openapi.json) (OpenAPI 3.1). The page [API reference](api) shows it, with a form
to try each call. [The HTTP API](integrating.md) is the guide.
`;

/** Writes the list of all documents for language models (llmstxt.org). */
export function writeLlmsTxt(documents: GuideDocument[]): string {
  const lines = byGroup(documents).flatMap(({ group, ofGroup }) => [
    '',
    `## ${group}`,
    '',
    ...ofGroup.map(({ address, title, summary }) => `- [${title}](${address}.md): ${summary}`),
  ]);
  return `# Orderbeacon

> A script tag for order confirmation pages and the server behind it. Each reported order is stored in PostgreSQL exactly
> once. The API is described in [openapi.json](openapi.json), and all documents in one file are at
> [llms-full.txt](llms-full.txt).
${lines.join('\n')}
`;
}
