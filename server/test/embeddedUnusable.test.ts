import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProcess } from './process.js';
import { temporaryFolder } from './temporaryFolder.js';

const isRoot = process.getuid?.() === 0;

/** Starts the server on a data folder that it cannot use; resolves with the one line that it ends with. */
async function refusal(dataDir: string, command = 'serve'): Promise<string> {
  const { code, stdout, stderr } = await runProcess([command], {
    ORDERBEACON_DATA_DIR: dataDir,
    PORT: '0',
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
  return stderr;
}

/** A file system of its own of that size, which is what a full or read-only disk is. */
function mountDisk(size: string) {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const run = (...command: string[]) => spawnSync(command[0]!, command.slice(1)).status === 0;
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', disk)) return null;
  onTestFinished(() => void run('umount', '-l', disk));
  return { disk, makeReadOnly: () => run('mount', '-o', 'remount,ro', disk) };
}

const canMount = isRoot && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

it.runIf(process.platform === 'linux')(
  'a data folder under /proc ends every start with one line',
  async () => {
    for (const command of ['serve', 'migrate']) {
      expect(await refusal('/proc/x', command)).toMatch(
        /The data folder \/proc\/x cannot be used: ENOENT.*set ORDERBEACON_DATA_DIR\.$/m,
      );
    }
  },
);

it('a file in place of the data folder, or above it, ends the start with one line', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(await refusal(file)).toMatch(/file cannot be used: EEXIST.*set ORDERBEACON_DATA_DIR/);
  expect(await refusal(join(file, 'data'))).toMatch(/data cannot be used: ENOTDIR.*set ORDERBEACON_DATA_DIR/);
});

it('a data folder that cannot be written ends the start with one line, and keeps nothing', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const script = `
    import { openDatabase } from '${new URL('../dist/database/openDatabase.js', import.meta.url).href}';
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
    const dataDir = join(disk, 'data');
    expect((await runProcess(['migrate'], { ORDERBEACON_DATA_DIR: dataDir })).code).toBe(0);
    // The shell that ran PostgreSQL may still have its log open.
    await expect.poll(makeReadOnly, { timeout: 20_000 }).toBe(true);
    expect(await refusal(join(disk, 'other'))).toMatch(/cannot be used: EROFS.*set ORDERBEACON_DATA_DIR/);
    expect(await refusal(dataDir)).toMatch(/cannot be used: EROFS.*set ORDERBEACON_DATA_DIR/);
  },
);

it.runIf(canMount)(
  'a full disk ends the start with one line, with a database on it and without',
  async () => {
    const { disk } = mountDisk('100m')!;
    const dataDir = join(disk, 'data');
    const env = { ORDERBEACON_DATA_DIR: dataDir };
    expect((await runProcess(['migrate'], env)).code).toBe(0);
    spawnSync('sh', ['-c', `head -c 200m /dev/zero > ${join(disk, 'filler')}`]);
    expect(await refusal(dataDir)).toMatch(/No space left on device|ENOSPC/);
    expect(await refusal(join(disk, 'other'))).toMatch(/No space left on device|ENOSPC/);
    // With room again the same start works.
    spawnSync('rm', [join(disk, 'filler')]);
    expect((await runProcess(['team', 'list'], env)).code).toBe(0);
  },
);
