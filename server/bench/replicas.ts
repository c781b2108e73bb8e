import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Sql } from '../src/database/connection/connect.js';
import { findBinaries, prepareBinaries } from '../src/embedded/binaries.js';
import { makeFolder } from '../src/embedded/folders.js';
import { chooseUser, identityOf } from '../src/embedded/user.js';
import { freePort } from '../test/kit/freePort.js';

/** A primary and a standby that follows it, on this machine. */
export interface Replicas {
  /** Value of `DATABASE_URL`: both hosts, the primary first. */
  url: string;
  /** Crashes the primary, as `pg_ctl stop -m immediate` does. */
  crashPrimary(): Promise<void>;
  /** Promotes the standby. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** The version of PostgreSQL, such as `18.4`. */
  version: string;
  close(): Promise<void>;
}

/**
 * Starts a primary and a standby, with the embedded PostgreSQL or that of `binFolder`, such as `/usr/lib/postgresql/15/bin`.
 * @param folder an empty folder; if this is root, another user must be able to enter it
 * @param isSynchronous true: a commit is answered when the standby has it on its disk, too
 */
export async function startReplicas(
  folder: string,
  { isSynchronous, binFolder }: { isSynchronous: boolean; binFolder?: string },
): Promise<Replicas> {
  const user = chooseUser(process.getuid?.() ?? 0);
  const identity = identityOf(user);
  const bin =
    binFolder ??
    join(
      prepareBinaries(
        findBinaries(),
        user,
        () => folder,
        () => {},
      ).native,
      'bin',
    );
  const home = join(folder, 'replicas');
  makeFolder(home, 0o700);
  if (user) execFileSync('chown', [`${user.uid}:${user.gid}`, home]);
  const [one, two] = [join(home, 'one'), join(home, 'two')];
  const run = (program: string, args: string[]) =>
    execFileSync(join(bin, program), args, { ...identity, cwd: home, stdio: ['ignore', 'pipe', 'inherit'] });
  run('initdb', ['-D', one, '-U', 'orderbeacon', '--auth=trust', '--encoding=UTF8', '--locale=C']);
  const ports = [await freePort(), await freePort()] as const;
  // The primary has never run, so a copy is complete. Both have the same identifier, as replication requires.
  cpSync(one, two, { recursive: true });
  writeFileSync(join(two, 'standby.signal'), '');
  const common = `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nwal_keep_size = 1GB\n`;
  const waits = isSynchronous ? `synchronous_standby_names = 'two'\n` : '';
  appendFileSync(join(one, 'postgresql.conf'), `${common}port = ${ports[0]}\n${waits}`);
  const following = `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=orderbeacon application_name=two'\n`;
  appendFileSync(join(two, 'postgresql.conf'), `${common}port = ${ports[1]}\n${following}`);
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home]);

  const start = (data: string) =>
    spawn(join(bin, 'postgres'), ['-D', data], {
      ...identity,
      cwd: home,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  const [primary, standby] = [start(one), start(two)];
  const urlOf = (port: number) => `postgres://orderbeacon@127.0.0.1:${port}/postgres`;
  const admins = ports.map((port) => connect(urlOf(port), 1)) as [Sql, Sql];
  const [{ version }] = await untilAnswered(
    () =>
      admins[0]<
        [{ version: string }]
      >`select split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  await untilAnswered(async () => {
    const rows = await admins[0]`select from pg_stat_replication where state = 'streaming'`;
    if (rows.length === 0) throw new Error('The standby does not follow');
    return admins[1]`select 1`;
  });
  const stop = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  };
  return {
    url: `postgres://orderbeacon@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
    version,
    crashPrimary: () => stop(primary),
    async promote() {
      await admins[1]`select pg_promote(true, 60)`;
    },
    async close() {
      await Promise.all(admins.map((sql) => sql.end({ timeout: 0 })));
      await Promise.all([stop(primary), stop(standby)]);
    },
  };
}

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
