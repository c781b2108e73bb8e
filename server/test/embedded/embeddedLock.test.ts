import { spawn } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/database/openDatabase.js';
import { isPostmasterOf, readPostmaster } from '../../src/embedded/postmaster.js';
import { dataFolder } from '../kit/dataFolder.js';
import { clusterIn, temporaryFolder } from '../kit/temporaryFolder.js';

const rest = '/var/lib/other\n1\n5432\n/tmp\nlocalhost\n\nready\n';

/** Opens a database whose folder has a postmaster.pid with this text. */
async function openBeside(text: string, dataDir: string) {
  writeFileSync(join(clusterIn(dataDir), 'postmaster.pid'), text);
  const { sql, close } = await openDatabase({ databaseUrl: null, dataDir });
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await close();
}

it.each([
  ['is empty, as a full disk leaves it, even just now', ''],
  ['is stale, and names this process', `${process.pid}\n${rest}`],
])('a postmaster.pid that %s does not keep PostgreSQL from starting', async (_, text) => {
  await openBeside(text, await dataFolder('initialised'));
});

it('a stale postmaster.pid whose number belongs to a process of PostgreSQL’s user by now is the same', async () => {
  const dataDir = await dataFolder('initialised');
  const cluster = clusterIn(dataDir);
  const { uid, gid } = statSync(cluster);
  // PostgreSQL itself only refuses to start if the process has the same user.
  const stranger = spawn('sleep', ['60'], {
    cwd: '/',
    stdio: 'ignore',
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  onTestFinished(() => void stranger.kill());
  await openBeside([stranger.pid, cluster, 1, 5432, '..', '', '1 1', 'ready', ''].join('\n'), dataDir);
  expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
});

it.each([
  ['', null],
  ['garbage', null],
  [`0\n${rest}`, null],
  [`1\n${rest}`, 1],
  [`99999999999999999999\n${rest}`, 1e20],
])('%j names no PostgreSQL of the folder', (text, pid) => {
  const cluster = clusterIn(temporaryFolder());
  mkdirSync(cluster, { recursive: true });
  writeFileSync(join(cluster, 'postmaster.pid'), text);
  expect(readPostmaster(cluster)?.pid ?? null).toBe(pid);
  expect(isPostmasterOf(cluster, pid ?? 0)).toBe(false);
});
