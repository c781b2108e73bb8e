import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Binaries, findBinaries, prepareBinaries } from '../../src/embedded/binaries.js';
import { chooseUser } from '../../src/embedded/user.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

/** Copies the binaries as npm unpacks them: without links, because npm's archives have none. */
function unpack(folder: string): Binaries & { links: string[] } {
  const { native, version } = findBinaries();
  const fresh = join(folder, 'native');
  cpSync(native, fresh, { recursive: true, filter: (source) => !lstatSync(source).isSymbolicLink() });
  const list = JSON.parse(readFileSync(join(fresh, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  return { native: fresh, version, links: list.map(({ target }) => join(folder, target)) };
}

/** Prepares the binaries for a user; null for the current one, whose copies are in a folder. */
const prepare = (
  unpacked: Binaries,
  user: ReturnType<typeof chooseUser>,
  copies: string,
  stated: string[] = [],
) =>
  prepareBinaries(
    unpacked,
    user,
    () => copies,
    (line) => stated.push(line),
  );

const runs = ({ native }: Binaries) => spawnSync(join(native, 'bin', 'postgres'), ['--version']).status === 0;

test.runIf(process.platform === 'linux')(
  'links that the install script has not made are made at the start',
  () => {
    const unpacked = unpack(temporaryFolder());
    expect(runs(unpacked)).toBe(false);
    const prepared = prepare(unpacked, chooseUser(0), '/nowhere');
    expect(prepared.native).toBe(unpacked.native);
    expect(unpacked.links.filter((link) => !existsSync(link))).toEqual([]);
    expect(runs(prepared)).toBe(true);
  },
);

test.runIf(process.getuid?.() === 0)(
  'binaries that PostgreSQL’s user cannot reach are copied once, and it is said',
  () => {
    const folder = temporaryFolder();
    const closed = join(folder, 'closed');
    const copies = join(folder, 'copies');
    mkdirSync(copies);
    mkdirSync(closed, { mode: 0o700 });
    const unpacked = unpack(closed);
    // The permissions that npm leaves if root runs it with umask 077.
    spawnSync('chmod', ['-R', 'go-rwx', unpacked.native]);
    const stated: string[] = [];
    expect(prepare(unpacked, chooseUser(0), copies, stated).native).toBe(
      join(copies, `postgresql-${unpacked.version}`),
    );
    expect(stated).toHaveLength(1);
    expect(prepare(unpacked, chooseUser(0), copies, stated).native).toBe(
      join(copies, `postgresql-${unpacked.version}`),
    );
    expect(stated).toHaveLength(1);
  },
);

test('binaries that run nowhere here are an error that names the way out', () => {
  const folder = temporaryFolder();
  const unpacked = unpack(folder);
  rmSync(join(unpacked.native, 'bin', 'postgres'));
  chmodSync(folder, 0o755);
  expect(() => prepare(unpacked, null, folder)).toThrow(/does not run here .*set DATABASE_URL/);
});

test('on Windows the start ends with a line that names the two ways out', () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  onTestFinished(() => platform.mockRestore());
  expect(findBinaries).toThrow(
    'The embedded PostgreSQL does not run on Windows: set DATABASE_URL, or start Orderbeacon in WSL.',
  );
});
