import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDocument } from './examples.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = [
  '',
  '.github',
  'sdk',
  'sdk/guides',
  'sdk/recipes',
  'server',
  'server/guides',
  'server/guides/errors',
];
const documents = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]+`/g, 'code');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsIn(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The relative links of a document. */
function linksIn(text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => !/^https?:/.test(link));
}

/** The relative links of a document that lead nowhere. */
function brokenLinks(path: string, text: string): string[] {
  return linksIn(text).filter((link) => {
    const [file, anchor] = link.split('#') as [string, string?];
    const target = join(dirname(path), file);
    if (file && !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsIn(file ? readDocument(target) : text).includes(anchor);
  });
}

describe('the documentation', () => {
  it.each(documents)('%s has only links that lead somewhere', (path) => {
    expect(brokenLinks(path, readDocument(path))).toEqual([]);
  });

  it('is found in full, and the check sees a missing file, a missing heading and a link that is fine', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'server/guides/settings.md']));
    const text =
      '# A heading\n[a](none.md) [b](README.md#none) [c](#none) [d](#a-heading) [e](README.md#the-tag)';
    expect(brokenLinks('text.md', text)).toEqual(['none.md', 'README.md#none', '#none']);
  });

  it('is reached from the README: links lead on from it to every guide, recipe and error code', () => {
    const reached = new Set(['README.md']);
    for (const path of reached) {
      for (const link of linksIn(readDocument(path))) {
        const target = join(dirname(path), link.split('#')[0]!);
        if (documents.includes(target)) reached.add(target);
      }
    }
    const guides = documents.filter((path) => /^(?:server\/guides|sdk\/guides|sdk\/recipes)\//.test(path));
    expect(guides.length).toBeGreaterThan(40);
    expect(guides.filter((path) => !reached.has(path))).toEqual([]);
  });

  it('has a README of at most 150 lines', () => {
    expect(readDocument('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});
