import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { Home } from './home.js';
import { type Lease, openBothEnds, stopWord } from './lease.js';
import { openLog } from './log.js';
import { fromCluster, makeRunFolder } from './runFolder.js';
import { settingArguments } from './settings.js';
import { identityOf } from './user.js';

/**
 * The supervisor: runs PostgreSQL while any process holds the pipe on its standard input, and then stops it. It is a
 * shell, because that costs 1 MB and outlives the process that started it. It answers names (see `acquireLease`), starts
 * PostgreSQL again if it dies after it was up, and ignores signals to a whole process group: PostgreSQL ends when its
 * users have ended.
 *
 * It works in the cluster's folder and addresses its own files from there, because the path may lead to another folder
 * by now. If the folder is no longer found under its path, PostgreSQL is stopped without the checkpoint of an orderly
 * shutdown, which would write `global/pg_control` by that path (PostgreSQL, `update_controlfile`). Committed
 * transactions are in the write-ahead log, which the next start reads.
 *
 * The reader sends USR1 until the main shell is gone, because a single signal could arrive between a fork and a wait. It
 * writes with `true`, because a shell ends when a redirection of `:` fails, such as on a full disk. The main shell ends the
 * reader before itself: a reader that outlives it answers while PostgreSQL runs, and stops it after the last user.
 */
const script = `
cluster=$1; run=$2; shift 2
exec 3<&0 </dev/null
echo $$ >"$run/supervisor"
stop() {
  stopping=1
  if [ . -ef "$cluster" ]; then kill -INT "$postgres"; else kill -QUIT "$postgres"; fi
}
runs() {
  read -r postgres <postmaster.pid && [ "/proc/$postgres/cwd" -ef . ] && grep -q "/\${run##*/}$" postmaster.pid
}
trap '' HUP INT TERM
trap stop USR1
(
  while read -r name; do
    kill -0 $$ || runs || break
    case $name in
      ${stopWord}) break ;;
      '' | *[!0-9a-z]*) ;;
      *) true >"$run/$name" ;;
    esac
  done
  exec <&- 3<&-
  while kill -USR1 $$; do sleep 1; done
  ! runs || stop
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
 * Linux: the working directory of a process, whatever its path is by now. PostgreSQL works in its data directory, so
 * under this name none of its processes ever writes into another folder.
 */
const ownFolder = '/proc/self/cwd';

/** A supervisor that was just started; its PostgreSQL may still end because another one runs. */
export interface Supervisor {
  lease: Lease;
  /** The folder of the socket and the pipe while PostgreSQL runs; the supervisor removes it at the end. */
  runFolder: string;
  /** The file with the messages of this start; the caller keeps or removes it. */
  log: string;
}

/** Starts a supervisor with PostgreSQL under it, and takes the first lease. */
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
