// @module-tag slow
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const source = (...path: string[]) => join('server', 'src', ...path);

/** Pairs of features of which the first may import the second, from the table of rooms. */
const rooms = readFileSync(join(root, '.config', 'checkRooms.js'), 'utf8');
const pairs = [...rooms.matchAll(/'features\/(\w+)': 'features\/(\w+)'/g)].map(([, user, used]) => ({
  user,
  used,
}));
const usersOf = (folder: string): string[] =>
  pairs.filter(({ used }) => used === folder).flatMap(({ user = '' }) => [user, ...usersOf(user)]);
const folders = readdirSync(join(root, source('features'))).filter((name) => name !== 'testing');

/**
 * Test files outside the features' folders that need features, by what they test. They are removed with a feature. Tests of
 * other features may need them, too.
 */
const crossing: Record<string, readonly string[]> = {
  'Laws of the merge hold for what shop systems say, which nothing else can say.': [
    'core/orders/bothForms.test.ts',
    'core/orders/law/sendAndCompare.ts',
    'core/orders/law/logOf.ts',
    'core/orders/law/purchases.ts',
    'core/orders/lostRows.test.ts',
    'core/orders/orderKeys.test.ts',
    'core/orders/rows/marketplace.test.ts',
    'core/orders/rows/rows.test.ts',
    'core/orders/rows/shopkeeper.ts',
    'core/orders/rows/strangers.test.ts',
  ],
  'A payment names another buyer than its order, and brings it further ids.': [
    'commands/personCommand.test.ts',
    'console/consoleOrders.test.ts',
  ],
  'The contract of a product has the type that the import writes.': ['core/contract.types.ts'],
  'Clocks, signatures and limits in time show in reports that were refused for them.': [
    'commands/teamRemove.test.ts',
    'console/consoleLive.test.ts',
    'core/teams/clocks.test.ts',
    'core/teams/signedPages.test.ts',
    'database/timeBounds.test.ts',
  ],
  'Each page of the whole console is opened, with rows of each feature.': [
    'app/links.test.ts',
    'console/consoleForms.test.ts',
    'console/consoleHostile.test.ts',
    'console/consoleLong.test.ts',
    'console/consoleOrderPage.test.ts',
    'console/consoleShop.test.ts',
    'console/consoleWords.test.ts',
    'http/errorPages.test.ts',
    'http/securityHeaders.test.ts',
  ],
  'The whole server is run as operators run it.': [
    'app/upgrade.test.ts',
    'database/databaseSettings.test.ts',
    'database/rights.test.ts',
    'globalSetup.ts',
    'http/proxies.test.ts',
    'monitoring/metrics.test.ts',
    'production/ways.test.ts',
  ],
};

const testFolder = join(root, 'server', 'test');
const testFiles = readdirSync(testFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** Lists the tests of features, and the files that import them or what they share. */
function testsOf(features: readonly string[]): ReadonlySet<string> {
  const found = new Set(testFiles.filter((name) => featuresIn(name).some((each) => features.includes(each))));
  for (const name of testFiles)
    if (features.some((each) => name.startsWith(`features/${each}/`))) found.add(name);
  for (const name of found)
    for (const other of testFiles) if (importsOf(other).includes(join('test', name))) found.add(other);
  return found;
}

/** Lists the features whose source or kit a test file imports. */
function featuresIn(name: string): string[] {
  return importsOf(name).flatMap((path) => /^(?:src|test)\/features\/(\w+)\//.exec(path)?.[1] ?? []);
}

/** Lists the files that a test file imports, by their paths in `server/`. */
function importsOf(name: string): string[] {
  const text = readFileSync(join(testFolder, name), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join('test', dirname(name), path.replace(/\.js$/, '.ts')),
  );
}

it('no part of the kit and no test of another room needs a feature, but those that are listed', () => {
  const found = testFiles.filter((name) => !name.startsWith('features/') && featuresIn(name).length > 0);
  expect(found.sort()).toEqual(Object.values(crossing).flat().sort());
});

it.each(folders)(
  'without the folder of %s, its lines and those that are made of it, all types are right, of tests too',
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
      'server/test',
      'server/bench',
    ])
      cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const allGone = [folder, ...usersOf(folder)];
    for (const gone of allGone) {
      rmSync(join(copy, source('features', gone)), { recursive: true });
      for (const name of ['features.ts', 'testing.ts']) removeLines(join(copy, source('app', name)), gone);
    }
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
    for (const name of testsOf(allGone)) rmSync(join(copy, 'server', 'test', name), { force: true });
    for (const project of ['server', 'server/test']) {
      const { stdout } = await run(process.execPath, [compiler, '-p', project, '--noEmit'], {
        cwd: copy,
      }).catch((error) => error);
      expect(stdout).toBe('');
    }
  },
);

/** Removes the lines of a file that name a feature or what it exports to others. */
function removeLines(path: string, feature: string): void {
  const imported = RegExp(`^import \\{ (\\w+) \\} from '\\.\\./features/${feature}/.*\\n`, 'gm');
  let text = readFileSync(path, 'utf8');
  const names = [...text.matchAll(imported)].map(([, name]) => name!);
  text = text.replaceAll(imported, '');
  for (const name of names)
    text = text.replaceAll(`(${name})`, '()').replaceAll(RegExp(`^.*\\b${name}\\b.*\\n`, 'gm'), '');
  writeFileSync(path, text);
}
