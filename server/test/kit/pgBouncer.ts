import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './freePort.js';
import { temporaryFolder } from './temporaryFolder.js';
import { untilListening } from './untilListening.js';

/** The program of Debian's package pgbouncer. */
export const pgBouncer = '/usr/sbin/pgbouncer';

/**
 * Starts PgBouncer in front of a database, and resolves with its URL. If it pools transactions, it has few connections, so that
 * its clients share them.
 */
export async function startPgBouncer(url: string, settings: string): Promise<string> {
  const { searchParams, hostname, port: portOf, username, pathname } = new URL(url);
  const socketFolder = searchParams.get('host');
  const folder = temporaryFolder();
  const port = await freePort();
  const size = settings.includes('default_pool_size') ? '' : 'default_pool_size = 8';
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${socketFolder ?? hostname} port=${portOf || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
max_client_conn = 200
${size}
${settings}
`,
  );
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  // It refuses to run as root, and only the owner of the folder can reach PostgreSQL's socket.
  const { uid, gid } = statSync(socketFolder ?? folder);
  const as = process.getuid?.() === 0 && socketFolder ? { uid, gid } : {};
  const child = spawn(pgBouncer, [file], { stdio: 'ignore', ...as });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await untilListening(port);
  return `postgres://${username}@127.0.0.1:${port}${pathname}`;
}
