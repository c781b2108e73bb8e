// @module-tag all
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { DatabaseError } from '../../src/values/errors.js';
import { dataFolder } from '../kit/dataFolder.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

const isRoot = process.getuid?.() === 0;

const hasSetpriv = isRoot && spawnSync('setpriv', ['--reuid=54321', '--clear-groups', 'true']).status === 0;

/** Opens the database of an unusable data folder. Resolves with the line that the command ends with. */
async function refusal(dataDir: string): Promise<string> {
  const refused = await openDatabase({ databaseUrl: null, dataDir }).catch((error) => error);
  expect(refused).toBeInstanceOf(DatabaseError);
  expect(refused.message).not.toContain('\n');
  return refused.message;
}

/** Writes a file into a folder, and creates missing folders. Returns the folder. */
function withFile(folder: string, path: string, text = ''): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return folder;
}

/** Mounts a file system of this size, as a stand-in for a full or read-only disk. */
function mountDisk(size: string) {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const run = (...command: string[]) => spawnSync(command[0]!, command.slice(1)).status === 0;
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk)) return null;
  onTestFinished(() => void run('umount', '-l', disk));
  return { disk, makeReadOnly: () => run('mount', '-o', 'remount,ro', disk) };
}

const canMount = isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const another = /cannot be used: .*set ORDERBEACON_DATA_DIR\.$/;
const damaged =
  /is damaged: its PG_VERSION names no version\. Move \S+ away, and bring a backup back: \S+orderbeacon restore/;

it.each<[string, (folder: string) => string, RegExp]>([
  ['a place where no folder can be made', () => '/dev/null/data', another],
  ['a file in its place', (folder) => join(withFile(folder, 'file'), 'file'), another],
  ['a file above it', (folder) => join(withFile(folder, 'file'), 'file', 'data'), another],
  ['a file at postgres in it', (folder) => withFile(folder, 'postgres'), another],
  ['a file at postgres/cluster in it', (folder) => withFile(folder, 'postgres/cluster'), another],
  ['a path too long for PostgreSQL', (folder) => join(folder, `${'x'.repeat(99)}/`.repeat(11)), /DATA_DIR/],
  ['a path too long for any system', (folder) => join(folder, `${'x'.repeat(99)}/`.repeat(50)), another],
  ['a name too long for any system', (folder) => join(folder, 'x'.repeat(300)), another],
  ['a PG_VERSION with garbage', (folder) => withFile(folder, 'postgres/cluster/PG_VERSION', 'x\n'), damaged],
  ['an empty PG_VERSION', (folder) => withFile(folder, 'postgres/cluster/PG_VERSION'), damaged],
])('a data folder with %s ends the start with one line', async (_, dataDirIn, line) => {
  expect(await refusal(dataDirIn(temporaryFolder()))).toMatch(line);
});

// If nothing can be created, some functions that make a folder would try for ever.
it.runIf(process.platform === 'linux')('a data folder under /proc ends the start with one line', async () => {
  expect(await refusal('/proc/x')).toMatch(/The data folder \/proc\/x cannot be used: ENOENT/);
});

it('a data folder that cannot be written ends the start with one line, and keeps nothing', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const script = `
    import { openDatabase } from '${new URL('../../dist/database/openDatabase.js', import.meta.url).href}';
    if (process.getuid() === 0) process.setuid(65534);
    await openDatabase({ databaseUrl: null, dataDir: process.argv[1] }).catch((error) => console.log(error.name, error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, join(folder, 'data')]);
  expect(stdout.toString()).toMatch(/^DatabaseError The data folder \S+ cannot be used: EACCES.*\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

it.runIf(canMount)(
  'a read-only disk ends the start with one line, with a database on it and without',
  async () => {
    const { disk, makeReadOnly } = mountDisk('200m')!;
    const dataDir = await dataFolder('migrated', join(disk, 'data'));
    expect(makeReadOnly()).toBe(true);
    expect(await refusal(join(disk, 'other'))).toMatch(/cannot be used: EROFS.*set ORDERBEACON_DATA_DIR/);
    expect(await refusal(dataDir)).toMatch(/cannot be used: EROFS.*set ORDERBEACON_DATA_DIR/);
  },
);

it.runIf(canMount)(
  'a full disk ends each start with one line, with a database on it and without',
  async () => {
    const { disk } = mountDisk('100m')!;
    const dataDir = await dataFolder('migrated', join(disk, 'data'));
    spawnSync('sh', ['-c', `head -c 200m /dev/zero > ${join(disk, 'filler')}`]);
    expect(await refusal(dataDir)).toMatch(/No space left on device|ENOSPC/);
    // There is room for the log's file, and for none of its lines.
    spawnSync('truncate', ['-s', '-8192', join(disk, 'filler')]);
    expect(await refusal(dataDir)).toMatch(/No space left on device|ENOSPC/);
    expect(await refusal(join(disk, 'other'))).toMatch(/No space left on device|ENOSPC/);
    // When there is room again, the same start works.
    spawnSync('rm', [join(disk, 'filler')]);
    await (await openDatabase({ databaseUrl: null, dataDir })).close();
  },
);

it('a line break in the path of the data folder ends the start with one line, and makes no folder', async () => {
  const folder = temporaryFolder();
  const broken = join(folder, 'a\nb');
  expect(await refusal(broken)).toMatch(/a\\nb" has a line break in its path: set ORDERBEACON_DATA_DIR/);
  expect(readdirSync(folder)).toEqual([]);
  mkdirSync(broken);
  symlinkSync(broken, join(folder, 'link'));
  expect(await refusal(join(folder, 'link'))).toMatch(/has a line break in its path/);
});

it.runIf(hasSetpriv)('a user without a name, as in `docker run --user 54321`, is told how to get one', () => {
  const dataDir = join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  chownSync(dataDir, 54321, 54321);
  const program = fileURLToPath(new URL('../../bin/orderbeacon.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    'setpriv',
    ['--reuid=54321', '--regid=54321', '--clear-groups', process.execPath, program, 'migrate'],
    { env: { PATH: process.env.PATH, ORDERBEACON_DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^orderbeacon: [^\n]*user ID 54321[^\n]* Add that user to \/etc\/passwd, run as a user who is there, or set DATABASE_URL\.\n$/,
  );
});
