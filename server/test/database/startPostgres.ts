import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { superuser } from '../../src/embedded/initCluster.js';
import { readPostmaster } from '../../src/embedded/postmaster.js';
import { settingArguments } from '../../src/embedded/settings.js';
import { identityOf } from '../../src/embedded/user.js';
import { initialiseFolder } from '../kit/initialiseFolder.js';

/** Shell script that runs a program until standard input ends. That also happens if the starter dies. */
const keeper = '"$@" </dev/null & cat >/dev/null; kill -INT $!; wait $!';

/**
 * Starts a PostgreSQL for hundreds of databases that last for seconds. None has to survive a power cut, so it never waits for
 * the disk. Dropping a database searches all shared buffers, so it has few of them.
 */
export async function startPostgres(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const { home, binaries } = await initialiseFolder(folder);
  const settings = settingArguments({
    listen_addresses: '',
    unix_socket_directories: home.folder,
    // A machine's zone may have days of 23 and 25 hours.
    TimeZone: 'Europe/Berlin',
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '128MB',
    autovacuum: 'off',
    // Some workers have two servers, each with up to 30 connections. A server that gets none answers 503.
    max_connections: '500',
  });
  const command = [join(binaries.native, 'bin', 'postgres'), '-D', home.cluster, ...settings];
  const path = join(folder, 'postgres.log');
  const log = openSync(path, 'w');
  const child = spawn('/bin/sh', ['-c', keeper, 'orderbeacon-postgres', ...command], {
    stdio: ['pipe', log, log],
    detached: true,
    ...identityOf(home.user),
  });
  closeSync(log);
  const ended = once(child, 'exit');
  while (readPostmaster(home.cluster)?.status !== 'ready') {
    if (child.exitCode !== null) throw new Error(readFileSync(path, 'utf8'));
    await delay(20);
  }
  return {
    url: `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(home.folder)}`,
    async close() {
      child.stdin!.end();
      await ended;
    },
  };
}
