import { readFile } from 'node:fs/promises';
import type { NavLink } from '../../console/parts/sitePage.js';
import type { ServedFile } from '../../core/script/servedFile.js';
import { createBody } from '../../values/body.js';
import { once } from '../../values/once.js';
import { searchResult } from './answerSearch.js';
import { apiPage } from './apiPage.js';
import { apiMarkdown, contentsAddress, searchTexts, writeContents, writeLlmsTxt } from './contents.js';
import { fileOf, findPictures, type GuideDocument, readDocuments } from './documents.js';
import { rewriteLinks } from './links.js';
import { page, pageHeadings } from './page.js';
import { toHtml } from './toHtml.js';

const htmlType = 'text/html; charset=utf-8';
const markdownType = 'text/markdown; charset=utf-8';
const textType = 'text/plain; charset=utf-8';

/**
 * Prepares every address of the documentation, such as `docs/backup` and `docs/backup.md`. Leaves out documents of
 * features that the server lacks. Each page is made at its first request.
 */
export async function serveDocuments({
  features,
  navLinks,
}: {
  features: readonly string[];
  navLinks: readonly NavLink[];
}): Promise<Map<string, ServedFile>> {
  const documents = await readDocuments(features);
  const pictures = await findPictures();
  const targets = new Map([...documents, ...pictures].map((target) => [target.path, target]));
  const markdownOf = (document: GuideDocument) => rewriteLinks(document.text, document, targets, '.md');
  const contents = writeContents(documents, '');
  const files: [string, ServedFile][] = [
    [
      contentsAddress,
      served(htmlType, async () =>
        page(
          {
            address: contentsAddress,
            title: 'Documentation',
            content: (await toHtml(contents)).replace('</h1>\n', `</h1>\n${searchResult}`),
          },
          [],
          navLinks,
        ),
      ),
    ],
    ['docs/api', served(htmlType, () => apiPage(navLinks))],
    [`${contentsAddress}.md`, served(markdownType, () => writeContents(documents, '.md'))],
    ['docs/api.md', served(markdownType, () => apiMarkdown)],
    ['docs/search.json', served('application/json', () => JSON.stringify(searchTexts(documents)))],
    ['llms.txt', served(textType, () => writeLlmsTxt(documents))],
    ['llms-full.txt', served(textType, () => documents.map(({ text }) => text).join('\n'))],
  ];
  for (const document of documents) {
    const { address, title } = document;
    files.push([`${address}.md`, served(markdownType, () => markdownOf(document))]);
    files.push([
      address,
      served(htmlType, async () => {
        const content = await toHtml(rewriteLinks(document.text, document, targets, ''));
        const withHeadings = content.replace('</h1>\n', (end) => end + pageHeadings(document.text));
        return page({ address, title, content: withHeadings }, documents, navLinks);
      }),
    ]);
  }
  for (const { path, address } of pictures) {
    files.push([address, served('image/svg+xml', () => readFile(fileOf(path), 'utf8'))]);
  }
  return new Map(files);
}

function served(contentType: string, write: () => string | Promise<string>): ServedFile {
  return { contentType, body: once(async () => createBody(new TextEncoder().encode(await write()))) };
}
