// @module-tag all
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connection/connect.js';
import { type KeyPair, makeCertificates } from '../kit/certificateAuthority.js';
import { runOrderbeacon } from '../kit/command.js';
import { createTestDatabase } from '../kit/database.js';
import { startDatabaseProxy } from '../kit/databaseProxy.js';
import { startRawReceiver } from '../kit/rawReceiver.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';
import { postgresRefusal } from './postgresMessage.js';

let authority: KeyPair;
let certificate: KeyPair;
beforeAll(async () => {
  const hosts = { own: ['localhost', '20200101000000Z', '20991231000000Z'] } as const;
  const made = await makeCertificates({ own: [...hosts.own] });
  ({ authority } = made);
  certificate = made.issued.own;
});

/** Starts a database that speaks TLS with a certificate for `localhost`. Returns a function that makes its URLs. */
async function startEncrypted() {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url, { certificate });
  onTestFinished(async () => {
    await proxy.close();
    await database.close();
  });
  return (host: string, parameters: string) => {
    const url = new URL(proxy.url);
    url.hostname = host;
    return `${url.href}?${parameters}`;
  };
}

function authorityFile(content = authority.cert): string {
  const path = join(temporaryFolder(), 'ca.pem');
  writeFileSync(path, content);
  return path;
}

/** Runs a select. Resolves with the answer of the database, or with the code of the error. */
async function ask(url: string): Promise<unknown> {
  const sql = connect(url, 1);
  const answer = await sql`select current_setting('application_name') as name`.catch(
    ({ code }: { code: string }) => code,
  );
  await sql.end({ timeout: 0 });
  return answer;
}

/** Runs the doctor's check of the database. */
async function examine(url: string) {
  const { stdout } = await runOrderbeacon(['doctor', '--json'], { DATABASE_URL: url });
  return JSON.parse(stdout)[0];
}

describe('sslrootcert in DATABASE_URL', () => {
  it('names the authority whose certificates are trusted, and never reaches PostgreSQL', async () => {
    const urlOf = await startEncrypted();
    const own = authorityFile();
    const other = authorityFile((await makeCertificates({})).authority.cert);
    const well = [{ name: 'orderbeacon 0.5' }];
    for (const mode of ['sslmode=verify-full&', 'sslmode=verify-ca&', 'sslmode=require&', '']) {
      expect([mode, await ask(urlOf('localhost', `${mode}sslrootcert=${own}`))]).toEqual([mode, well]);
      expect([mode, await ask(urlOf('localhost', `${mode}sslrootcert=${other}`))]).toEqual([
        mode,
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ]);
    }
    expect(await ask(urlOf('localhost', 'sslmode=verify-full&sslrootcert=system'))).toBe(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    );
  });

  it('is refused with one line when its file cannot be read', async () => {
    const url = 'postgres://me@127.0.0.1:1/orders?sslrootcert=/nowhere/ca.pem';
    const { code, stderr } = await runOrderbeacon(['team', 'list'], { DATABASE_URL: url });
    expect([code, stderr]).toEqual([
      2,
      'orderbeacon: sslrootcert in DATABASE_URL is "/nowhere/ca.pem", which cannot be read: ENOENT.\n',
    ]);
  });
});

it.each(['channel_binding=require', 'sslaccept=strict', 'ssl=true', 'sslmode=unheard-of'])(
  'a URL that wants the database to prove itself, by %s, gets the check of its certificate and host',
  async (demand) => {
    const urlOf = await startEncrypted();
    const own = authorityFile();
    expect(await ask(urlOf('localhost', `${demand}&sslrootcert=${own}`))).toEqual([
      { name: 'orderbeacon 0.5' },
    ]);
    expect(await ask(urlOf('localhost', demand))).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(await ask(urlOf('127.0.0.1', `${demand}&sslrootcert=${own}`))).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  },
);

it.each([
  'sslmode=require',
  'sslmode=no-verify',
  'ssl=no-verify',
  'sslmode=require&sslaccept=accept_invalid_certs',
])('a URL that wants encryption alone, by %s, gets it', async (wish) => {
  const urlOf = await startEncrypted();
  expect(await ask(urlOf('localhost', wish))).toEqual([{ name: 'orderbeacon 0.5' }]);
});

it('verify-full checks the certificate for the address in the URL, where it has no name', async () => {
  const urlOf = await startEncrypted();
  const file = authorityFile();
  expect(await ask(urlOf('127.0.0.1', `sslmode=verify-full&sslrootcert=${file}`))).toBe(
    'ERR_TLS_CERT_ALTNAME_INVALID',
  );
  expect(await ask(urlOf('127.0.0.1', `sslmode=verify-ca&sslrootcert=${file}`))).toEqual([
    { name: 'orderbeacon 0.5' },
  ]);
});

describe('doctor names the fix of a database that refuses the connection', () => {
  it('for a certificate that nobody trusts, and for a parameter that PostgreSQL does not know', async () => {
    const urlOf = await startEncrypted();
    expect((await examine(urlOf('localhost', 'sslmode=verify-full'))).fix).toContain(
      'sslrootcert=/path/ca.pem',
    );
    expect(await examine(urlOf('localhost', 'sslmode=require&max_connections=5'))).toMatchObject({
      message: expect.stringContaining('"max_connections" cannot be changed without restarting'),
      fix: 'Take this parameter out of DATABASE_URL, or set it for the role: alter role … set ….',
    });
  });

  it('for hosts of which none is a primary', async () => {
    const { sql, url, close } = await createTestDatabase();
    const proxy = await startDatabaseProxy(url);
    onTestFinished(async () => {
      await proxy.close();
      await close();
    });
    await sql`do $$ begin
      execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`;
    expect(await examine(`${proxy.url}?target_session_attrs=read-write`)).toMatchObject({
      message: expect.stringContaining('The database is read-only'),
      fix: 'Start the primary, or promote its standby.',
    });
  });

  it.each([
    [
      '28P01',
      'password authentication failed for user "me"',
      'Set the user and the password in DATABASE_URL.',
    ],
    ['28000', 'no pg_hba.conf entry for host "::1", no encryption', 'Add ?sslmode=require to DATABASE_URL.'],
    [
      '28000',
      'role "shop" does not exist',
      'Name another user in DATABASE_URL, or let this one log in (create role … login).',
    ],
    [
      '3D000',
      'database "orders" does not exist',
      'Create it (create database … owner …), or name another one',
    ],
    ['57P03', 'the database system is starting up', 'Start it, or give this command the server’s settings'],
  ])('for %s: %s', async (state, message, fix) => {
    const { port } = await startRawReceiver((client) => {
      client.once('data', () => client.end(postgresRefusal(state, message)));
    });
    const check = await examine(`postgres://me@127.0.0.1:${port}/orders`);
    expect(check.message).toContain(message);
    expect(check.fix).toContain(fix);
  });
});
