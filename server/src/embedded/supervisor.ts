import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { Home } from './folder.js';
import { type Lease, openBothEnds, stopWord } from './lease.js';
import { openLog } from './log.js';
import { fromCluster, makeRunFolder } from './runFolder.js';
import { settingArguments } from './settings.js';
import { identityOf } from './user.js';

/**
 * Holds PostgreSQL while anybody holds the pipe on its standard input, and then stops it. A shell, for it
 * costs 1 MB and outlives whichever process started it. It answers names (see `takeLease`), starts PostgreSQL
 * again when it dies though it was once up, and takes no notice of signals to a whole group of processes:
 * PostgreSQL ends when its users have.
 *
 * It works in the cluster's folder and names what is its own from there, for the path may lead to another
 * folder by now. A PostgreSQL whose folder is no longer found under its path is stopped at once, without the
 * checkpoint of an orderly shutdown: that one writes `global/pg_control` by its path (PostgreSQL,
 * `update_controlfile`). What was committed is in the write-ahead log, which the next start reads.
 *
 * The reader sends USR1 until the main shell is gone: a single one could fall between a fork and a wait. It
 * writes by `true`, since a shell ends where a redirection of `:` fails, as on a full disk.
 */
const script = `
cluster=$1; run=$2; shift 2
exec 3<&0 </dev/null
echo $$ >"$run/supervisor"
stop() {
  stopping=1
  if [ . -ef "$cluster" ]; then kill -INT "$postgres"; else kill -QUIT "$postgres"; fi
}
trap '' HUP INT TERM
trap stop USR1
(
  while read -r name; do
    case $name in
      ${stopWord}) break ;;
      '' | *[!0-9a-z]*) ;;
      *) true >"$run/$name" ;;
    esac
  done
  exec <&- 3<&-
  while kill -USR1 $$; do sleep 1; done
) <&3 &
reader=$!
exec 3<&-
while [ -z "$stopping" ] && [ . -ef "$cluster" ]; do
  "$@" &
  postgres=$!
  [ -z "$stopping" ] || stop
  while wait "$postgres"; code=$?; kill -0 "$postgres" 2>/dev/null; do :; done
  [ -e "$run/up" ] || break
  [ -n "$stopping" ] || sleep 1
done
kill -KILL "$reader"
rm -rf "$run"
exit "\${code:-1}"
`;

/**
 * Linux: the folder that a process works in, whatever it is called by now. PostgreSQL works in its data
 * directory, so under this name no process of it ever writes into another one.
 */
const ownFolder = '/proc/self/cwd';

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
  execFileSync('mkfifo', ['-m', '600', join(runFolder, 'users')], { ...identity, stdio: 'pipe' });
  const { lease, reader } = openBothEnds(runFolder);
  const { path, log } = openLog(home);
  const postgres = [
    join(native, 'bin', 'postgres'),
    ...['-D', existsSync(ownFolder) ? ownFolder : home.cluster],
    ...settingArguments({
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: `"${runFolder.replaceAll('"', '""')}"`,
    }),
  ];
  const own = [home.cluster, fromCluster(home, runFolder)];
  const child = spawn('/bin/sh', ['-c', script, 'orderbeacon-postgres', ...own, ...postgres], {
    cwd: home.cluster,
    stdio: [reader, log, log],
    detached: true,
    ...identity,
  });
  child.unref();
  closeSync(reader);
  closeSync(log);
  return { lease, runFolder, log: path };
}
