import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');

/** The folders in which the page's paths may start. */
const bases = ['', 'server/src', 'sdk/src'];

/** The words in backticks and in commands that look like a path. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word!);
  const typed = [...text.matchAll(/^(?:\S+=\S+ )?npx .*$/gm)].flatMap(([line]) => line.split(' '));
  return [...quoted, ...typed].filter((word) => /^[\w.][\w.-]*\/|^[\w-]+\.(?:ts|js|json|md|sql)$/.test(word));
}

describe('CONTRIBUTING', () => {
  it('names no file and no folder that does not exist', () => {
    const paths = pathsIn(page);
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
  });

  it('has every room of the server on its map', () => {
    const folders = readdirSync(join(root, 'server/src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.map(({ name }) => `\`${name}/\``).filter((room) => !page.includes(room))).toEqual([]);
  });

  it('has at most 1,100 words, which take five minutes to read', () => {
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(1100);
  });
});

it('two types never share a name', () => {
  const folders = ['sdk/src', 'sdk/test', 'server/src', 'server/test', 'server/bench', 'e2e'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/node_modules|^dist\b/.test(name))
      .map((name) => join(folder, name)),
  );
  const places = new Map<string, string[]>();
  for (const file of files) {
    const declared = readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:export )?(?:declare )?(?:interface|type) (\w+)[ <=]/gm,
    );
    for (const [, name] of declared) places.set(name!, [...(places.get(name!) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});
