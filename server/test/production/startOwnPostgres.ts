import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { connect, type Sql } from '../../src/database/connection/connect.js';
import { findBinaries, prepareBinaries } from '../../src/embedded/binaries.js';
import { chooseUser, identityOf } from '../../src/embedded/user.js';
import { makeChain } from '../kit/certificateChain.js';
import { blocksOf } from '../kit/documentation.js';
import { freePort } from '../kit/freePort.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { untilListening } from '../kit/untilListening.js';

/** Programs of PostgreSQL 15, the oldest that the guide names, by Debian 12's package `postgresql`. */
export const debianBinaries = '/usr/lib/postgresql/15/bin';

/** The oldest PostgreSQL that the guide names, and the one that the embedded packages bring. */
export type OwnVersion = 15 | 18;

/** Checks whether tests of a version are skipped (Debian: apt-get install postgresql). On CI they fail instead. */
export const isMissing = (version: OwnVersion): boolean =>
  version === 15 && !existsSync(debianBinaries) && process.env.CI !== 'true';

const password = 'secret';

/** Statements of a guide, with the password of the role in `url`. */
export const statementsOf = (guide: string) =>
  blocksOf(`server/guides/${guide}`)
    .filter(({ kind }) => kind === 'sql')
    .map(({ code }) => code.replace('…', password));

/** Creates the role and the database of the guide, or only another database of that role. */
export async function createGuideDatabase(admin: Sql, name = 'orderbeacon'): Promise<void> {
  const [create, ...others] = statementsOf('production.md');
  const [role, database, ...more] = create!.trim().split('\n');
  expect([role, database, more, others]).toEqual([
    expect.stringMatching(/^create role .*;$/),
    expect.stringMatching(/^create database .*;$/),
    [],
    [],
  ]);
  if (name === 'orderbeacon') await admin.unsafe(role!);
  await admin.unsafe(database!.replace('orderbeacon', name));
}

/**
 * Starts a PostgreSQL that listens by TCP with TLS of an own authority, as on a machine without a locale. Gives what runs SQL as
 * its superuser, and the URL of the guide's role.
 */
export async function startOwnPostgres(version: OwnVersion) {
  const { folder, rootFile } = makeChain();
  const home = temporaryFolder();
  const cluster = join(home, 'cluster');
  const user = chooseUser(0);
  const as = identityOf(user);
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const bin =
    version === 15
      ? debianBinaries
      : join(
          prepareBinaries(
            findBinaries(),
            user,
            () => home,
            () => {},
          ).native,
          'bin',
        );
  mkdirSync(cluster);
  own(cluster);
  const initdb = ['-D', cluster, '-U', 'postgres', '--auth=trust', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), initdb, { ...as, stdio: 'ignore' });
  for (const name of ['fullchain.pem', 'privkey.pem']) {
    cpSync(join(folder, name), join(cluster, name));
    own(join(cluster, name));
  }
  writeFileSync(
    join(cluster, 'pg_hba.conf'),
    'local all all trust\nhostssl all all localhost scram-sha-256\n',
  );
  own(home);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    `unix_socket_directories=${home}`,
    'ssl=on',
    'ssl_cert_file=fullchain.pem',
    'ssl_key_file=privkey.pem',
    'fsync=off',
  ];
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(bin, 'postgres'), args, { ...as, stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  await untilListening(port);
  const socket = `host=${encodeURIComponent(home)}`;
  const admin = connect(`postgres://postgres@localhost:${port}/postgres?${socket}`, 1);
  onTestFinished(() => admin.end());
  // Its port is open before it takes connections.
  await expect.poll(() => admin`select`.then(() => null, String)).toBe(null);
  const urlOf = (host: string, parameters: string) =>
    `postgres://orderbeacon:${password}@${host}:${port}/orderbeacon?${parameters}`;
  return {
    port,
    admin,
    urlOf,
    url: urlOf('localhost', `sslmode=verify-full&sslrootcert=${rootFile}`),
    socketUrl: urlOf('localhost', socket),
    rootFile,
  };
}
