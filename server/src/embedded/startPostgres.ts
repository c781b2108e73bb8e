import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import type { Home } from './home.js';
import { openLog } from './log.js';
import { readPostmaster, removeNamelessLock } from './postmaster.js';
import { settingArguments } from './settings.js';
import { identityOf } from './user.js';

/** A PostgreSQL that was just started. It ends if another one runs in its home. */
export interface Starting {
  /** The file with the messages of this start. The caller keeps or removes it. */
  log: string;
  /** Set if the previous PostgreSQL was killed, so that this one repairs its data first. */
  isRepair: boolean;
  pid: number | undefined;
  hasEnded(): boolean;
}

/**
 * Name of the data directory that PostgreSQL is given on Linux; on other systems it is given the path. For each process, this name means
 * its working directory, which for PostgreSQL is the data directory. So its processes never write into another folder that later gets the
 * same path.
 */
const ownFolder = '/proc/self/cwd';

/**
 * On Linux this command runs another one, which gets the signal of a fast shutdown when the thread that started it ends. The signal
 * cannot distinguish an orderly end, after which others still use PostgreSQL, from a kill.
 */
const endingWithUs = ['setpriv', '--pdeathsig', 'INT'];
const canEndWithUs = () => spawnSync(endingWithUs[0]!, [...endingWithUs.slice(1), 'true']).status === 0;

/**
 * Starts PostgreSQL in a home where none runs. It listens on a socket in the home's folder.
 * @param endsWithUs false: it outlives this process; true: it ends with this process, if the system supports that
 */
export function startPostgres(home: Home, { native }: Binaries, endsWithUs: boolean): Starting {
  removeNamelessLock(home.cluster);
  const stale = readPostmaster(home.cluster);
  // No process listens on that socket, and PostgreSQL refuses to use it if the id in its lock belongs to another process by now.
  rmSync(join(home.folder, '.s.PGSQL.5432.lock'), { force: true });
  const { path, log } = openLog(home);
  const [program, ...prefix] = [
    ...(endsWithUs && canEndWithUs() ? endingWithUs : []),
    join(native, 'bin', 'postgres'),
  ];
  const child = spawn(
    program!,
    [
      ...prefix,
      ...['-D', existsSync(ownFolder) ? ownFolder : home.cluster],
      ...settingArguments({
        listen_addresses: '',
        port: '5432',
        // Relative to the data directory, because a socket's whole path may have at most 107 bytes.
        unix_socket_directories: '..',
        unix_socket_permissions: '0700',
      }),
    ],
    {
      cwd: home.cluster,
      stdio: ['ignore', log, log],
      // Ctrl-C in a terminal goes to every foreground process, but PostgreSQL has to outlive the last answer.
      detached: true,
      env: {
        ...process.env,
        // PostgreSQL treats a lock file with this process id as stale (CreateLockFile). The process with this id runs no PostgreSQL
        // in this folder.
        ...(stale && { PG_GRANDPARENT_PID: String(Math.abs(stale.pid)) }),
      },
      ...identityOf(home.user),
    },
  );
  closeSync(log);
  let hasEnded = false;
  for (const event of ['error', 'exit']) {
    child.once(event, () => {
      hasEnded = true;
    });
  }
  child.unref();
  return { pid: child.pid, log: path, isRepair: stale !== null, hasEnded: () => hasEnded };
}
