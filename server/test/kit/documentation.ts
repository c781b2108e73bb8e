import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from './examples.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Lists the paths of the files below a folder of the repository whose names have an ending. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => join(folder, name));

/** Paths of every guide, recipe and README. */
export const documents = [
  ...['server/guides', 'sdk/guides', 'sdk/recipes'].flatMap((folder) => filesBelow(folder, '.md')),
  ...['README.md', 'sdk/README.md', 'sdk/PRIVACY.md', 'server/README.md'],
];

/** A block of code in a document. */
export interface ExampleBlock {
  path: string;
  /** The name in the comment before the block; undefined if it has none. */
  name: string | undefined;
  /** The language of the block; empty if it has none. */
  kind: string;
  code: string;
}

/** Lists the blocks of code of a document, also those in list items. */
export function blocksOf(path: string, text = readDocument(path)): ExampleBlock[] {
  const block = /(?:<!-- example: ([\w-]+) -->\n)?^( *)```(\w*)\n([\s\S]*?)^\2```$/gm;
  return [...text.matchAll(block)].map(([, name, indent, kind, code]) => ({
    path,
    name,
    kind: kind!,
    code: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Removes the blocks of code from a document. */
export const withoutBlocks = (text: string): string => text.replace(/^( *)```[\s\S]*?^\1```$/gm, '');

/** Every block of code of the documentation. */
export const blocks = documents.flatMap((path) => blocksOf(path));
