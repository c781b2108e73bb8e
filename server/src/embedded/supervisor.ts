import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { Home } from './folder.js';
import { type Lease, openBothEnds } from './lease.js';
import { openLog } from './log.js';
import { settingArguments } from './settings.js';
import { identityOf } from './user.js';

/**
 * Holds PostgreSQL while anybody holds the pipe on its standard input, and then stops it. A shell, for it
 * costs 1 MB and outlives whichever process started it. It answers names (see `takeLease`), starts PostgreSQL
 * again when it dies though it was once up, and takes no notice of signals to a whole group of processes:
 * PostgreSQL ends when its users have.
 *
 * The reader sends USR1 until the main shell is gone: a single one could fall between a fork and a wait.
 */
const script = `
run=$1; shift
exec 3<&0 </dev/null
echo $$ >"$run/supervisor"
trap '' HUP INT TERM
trap 'stopping=1; kill -INT "$postgres"' USR1
(
  while read -r name; do
    case $name in '' | *[!0-9a-z]*) ;; *) : >"$run/$name" ;; esac
  done
  exec <&- 3<&-
  while kill -USR1 $$; do sleep 1; done
) <&3 &
reader=$!
exec 3<&-
while [ -z "$stopping" ]; do
  "$@" &
  postgres=$!
  [ -z "$stopping" ] || kill -INT "$postgres"
  while wait "$postgres"; code=$?; kill -0 "$postgres" 2>/dev/null; do :; done
  [ -e "$run/up" ] || break
  [ -n "$stopping" ] || sleep 1
done
kill -KILL "$reader"
rm -rf "$run"
exit "$code"
`;

/** The longest socket path that every Unix takes (macOS: 104 bytes with the end) less the name of the socket. */
const socketFolderMaxBytes = 85;

/** A supervisor that was just started; PostgreSQL may still lose against another one. */
export interface Supervisor {
  lease: Lease;
  /** Holds the socket and the pipe while PostgreSQL runs; the supervisor removes it at the end. */
  runFolder: string;
  /** The file with the messages of this start, to be kept or removed. */
  log: string;
}

/** Starts a supervisor with PostgreSQL under it, and holds it. */
export function startSupervisor(home: Home, { native }: Binaries): Supervisor {
  const identity = identityOf(home.user);
  const runFolder = makeRunFolder(home);
  execFileSync('mkfifo', ['-m', '600', join(runFolder, 'users')], identity);
  const { lease, reader } = openBothEnds(runFolder);
  const { path, log } = openLog(home);
  const postgres = [
    join(native, 'bin', 'postgres'),
    ...['-D', home.cluster],
    ...settingArguments({
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: `"${runFolder.replaceAll('"', '""')}"`,
    }),
  ];
  const child = spawn('/bin/sh', ['-c', script, 'orderbeacon-postgres', runFolder, ...postgres], {
    cwd: home.folder,
    stdio: [reader, log, log],
    detached: true,
    ...identity,
  });
  child.unref();
  closeSync(reader);
  closeSync(log);
  return { lease, runFolder, log: path };
}

function makeRunFolder({ folder, user }: Home): string {
  // Linux takes 107 bytes of socket path; in a deeper folder than that the socket has to live elsewhere.
  // Its name is random and its mode 0700, and others find it by postmaster.pid.
  const place =
    Buffer.byteLength(join(folder, 'run-XXXXXX')) <= socketFolderMaxBytes
      ? join(folder, 'run-')
      : '/tmp/orderbeacon-';
  const runFolder = mkdtempSync(place);
  if (user) chownSync(runFolder, user.uid, user.gid);
  return runFolder;
}

/** Removes what a supervisor that was killed has left. The path comes from a file, so only one of ours is touched. */
export function removeRunFolder({ folder }: Home, runFolder: string): void {
  if (dirname(runFolder) !== folder || !basename(runFolder).startsWith('run-')) return;
  rmSync(runFolder, { recursive: true, force: true });
}
