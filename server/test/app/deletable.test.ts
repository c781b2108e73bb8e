// @module-tag slow
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const source = (...path: string[]) => join('server', 'src', ...path);

/** The features by their folders, each with those that the table of rooms lets import it. */
const rooms = readFileSync(join(root, '.config', 'checkRooms.js'), 'utf8');
const pairs = [...rooms.matchAll(/'features\/(\w+)': 'features\/(\w+)'/g)].map(([, user, used]) => ({
  user,
  used,
}));
const usersOf = (folder: string): string[] =>
  pairs.filter(({ used }) => used === folder).flatMap(({ user = '' }) => [user, ...usersOf(user)]);
const folders = readdirSync(join(root, source('features'))).filter((name) => name !== 'testing');

it.each(folders)(
  'without the folder of %s, its lines and those that are made of it, all types are right',
  {
    tags: ['long'],
  },
  async (folder) => {
    const copy = temporaryFolder();
    for (const path of [
      'tsconfig.json',
      'server/tsconfig.json',
      'server/package.json',
      'server/testing',
      'server/src',
    ])
      cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const gone of [folder, ...usersOf(folder)]) {
      rmSync(join(copy, source('features', gone)), { recursive: true });
      for (const name of ['features.ts', 'testing.ts']) removeLines(join(copy, source('app', name)), gone);
    }
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', 'server', '--noEmit'], {
      cwd: copy,
    }).catch((error) => error);
    expect(stdout).toBe('');
  },
);

/** Removes the lines of a file that name a feature, and what it lends to others. */
function removeLines(path: string, feature: string): void {
  const imported = RegExp(`^import \\{ (\\w+) \\} from '\\.\\./features/${feature}/.*\\n`, 'gm');
  let text = readFileSync(path, 'utf8');
  const names = [...text.matchAll(imported)].map(([, name]) => name!);
  text = text.replaceAll(imported, '');
  for (const name of names)
    text = text.replaceAll(`(${name})`, '()').replaceAll(RegExp(`^.*\\b${name}\\b.*\\n`, 'gm'), '');
  writeFileSync(path, text);
}
