// @module-tag all
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { findHome, type Home } from '../../src/embedded/home.js';
import { runOrderbeacon } from '../kit/command.js';
import { dataFolder } from '../kit/dataFolder.js';
import { clusterIn, temporaryFolder } from '../kit/temporaryFolder.js';

const isRoot = process.getuid?.() === 0;
const silent = () => {};

/** Makes a folder that only root can enter. In the end it and its copy in the system folder are removed. */
function newClosedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-test-'));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function homeOf(dataDir: string): Home {
  const home = findHome(dataDir, silent);
  onTestFinished(() => rmSync(home.folder, { recursive: true, force: true }));
  return home;
}

test('the data lies in the asked folder, also when that is named by another way to it, and nobody else can enter it', () => {
  const dataDir = temporaryFolder();
  const home = findHome(join(dataDir, 'a', '..'), silent);
  expect(home.folder).toBe(join(dataDir, 'postgres'));
  expect(statSync(home.folder).mode & 0o777).toBe(0o700);
});

test('data whose modes became 2770 opens again, and only its user can enter it and use its socket', async () => {
  const dataDir = await dataFolder('initialised');
  const home = join(dataDir, 'postgres');
  const cluster = clusterIn(dataDir);
  for (const folder of [home, cluster]) chmodSync(folder, 0o2770);
  const { close } = await openDatabase({ databaseUrl: null, dataDir });
  onTestFinished(close);
  for (const path of [cluster, join(home, '.s.PGSQL.5432')])
    expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o700]);
});

test.runIf(isRoot)('as root PostgreSQL runs as the owner of the data folder', () => {
  const dataDir = temporaryFolder();
  chownSync(dataDir, 1, 1);
  expect(findHome(dataDir, silent).user?.uid).toBe(1);
});

test.runIf(isRoot)('as root an owner that the system does not know is passed over', () => {
  const dataDir = temporaryFolder();
  chownSync(dataDir, 54_321, 54_321);
  const { user } = findHome(dataDir, silent);
  expect(['postgres', 'nobody']).toContain(user?.name);
});

test.runIf(isRoot)('as root data that an ordinary user began stays that user’s', () => {
  const dataDir = temporaryFolder();
  chownSync(dataDir, 1, 1);
  const { folder } = findHome(dataDir, silent);
  chownSync(dataDir, 0, 0);
  expect(findHome(dataDir, silent).user?.uid).toBe(1);
  expect(statSync(folder).uid).toBe(1);
});

test.runIf(isRoot)(
  'a folder that PostgreSQL’s user cannot enter has its data under /var/lib/orderbeacon, and the start and doctor say so',
  async () => {
    const dataDir = newClosedFolder();
    const home = homeOf(dataDir);
    expect(dirname(home.folder)).toBe('/var/lib/orderbeacon');
    await dataFolder('initialised', dataDir);
    const stated: string[] = [];
    const { close } = await openDatabase(
      { databaseUrl: null, dataDir },
      { notify: (line) => stated.push(line) },
    );
    const doctor = await runOrderbeacon(['doctor', '--json'], { ORDERBEACON_DATA_DIR: dataDir });
    await close();
    const disk = JSON.parse(doctor.stdout).find(({ check }: { check: string }) => check === 'disk');
    expect(disk.message).toContain(`on the disk of ${home.folder}`);
    expect(stated.join()).toContain(home.folder);
  },
);

test.runIf(isRoot)('two such folders, and a copy of one, never share their data', () => {
  const one = newClosedFolder();
  const copy = `${one}-copy`;
  const first = homeOf(one);
  cpSync(one, copy, { recursive: true });
  onTestFinished(() => rmSync(copy, { recursive: true }));
  expect(new Set([first, homeOf(newClosedFolder()), homeOf(copy)].map(({ folder }) => folder)).size).toBe(3);
  expect(findHome(one, silent).folder).toBe(first.folder);
});

test.runIf(isRoot)('such a folder keeps its data when PostgreSQL’s user can enter it later', () => {
  const dataDir = newClosedFolder();
  const { folder } = homeOf(dataDir);
  chmodSync(dataDir, 0o755);
  expect(findHome(dataDir, silent).folder).toBe(folder);
});

test.runIf(isRoot)(
  'data that PostgreSQL’s user can no longer enter is refused, not replaced by an empty database',
  () => {
    const dataDir = temporaryFolder();
    findHome(dataDir, silent);
    chmodSync(dataDir, 0o700);
    expect(() => findHome(dataDir, silent)).toThrow(/cannot enter .*ORDERBEACON_DATA_DIR/);
  },
);
