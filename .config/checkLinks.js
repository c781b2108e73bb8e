// Part of `npm run check`: the relative links of the documents, and the paths that CONTRIBUTING names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folders = ['', '.github', 'sdk', 'sdk/guides', 'sdk/recipes', 'server', 'server/guides'];
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const documents = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

const withoutBlocks = (/** @type {string} */ text) => text.replace(/^```[\s\S]*?^```/gm, '');

/**
 * Lists the anchors of a document's headings, as GitHub makes them.
 * @param {string} text
 */
function anchorsIn(text) {
  const headings = withoutBlocks(text).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/**
 * Lists the relative links of a document, each with the path from the root and the anchor to which it leads.
 * @param {string} path
 */
function linksIn(path) {
  const text = withoutBlocks(documents.get(path) ?? '').replace(/`[^`\n]+`/g, 'code');
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [file, anchor] = link.split('#');
    return { link, target: file ? join(dirname(path), file) : path, anchor };
  });
}

/** @type {string[]} */
const faults = [];
for (const path of paths) {
  for (const { link, target, anchor } of linksIn(path)) {
    const leads = anchor
      ? anchorsIn(documents.get(target) ?? '').includes(anchor)
      : existsSync(join(root, target));
    if (!leads) faults.push(`${path} links to ${link}, which is not there.`);
  }
}

const reached = new Set(['README.md']);
for (const path of reached) {
  for (const { target } of linksIn(path)) if (documents.has(target)) reached.add(target);
}
const guides = paths.filter((path) => /^(?:server\/guides|sdk\/guides|sdk\/recipes)\//.test(path));
for (const path of guides) if (!reached.has(path)) faults.push(`No link leads from the README to ${path}.`);

const contributing = documents.get('.github/CONTRIBUTING.md') ?? '';
for (const [, path = ''] of contributing.matchAll(
  /`([\w.][\w.-]*\/[^`\s]*|[\w-]+\.(?:ts|js|json|md|sql))`/g,
)) {
  if (!['', 'server/src', 'sdk/src'].some((base) => existsSync(join(root, base, path))))
    faults.push(`CONTRIBUTING names ${path}, which is not there.`);
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
