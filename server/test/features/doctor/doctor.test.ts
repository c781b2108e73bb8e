import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import type { statfs } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { features } from '../../../src/app/features.js';
import type { Check } from '../../../src/commands/check.js';
import { scriptHtml, tagHtml } from '../../../src/core/script/tag.js';
import { ensureDemoTeam } from '../../../src/features/demo/demoTeam.js';
import { checkDatabase } from '../../../src/features/doctor/checkDatabase.js';
import { checkDisk } from '../../../src/features/doctor/checkDisk.js';
import { checkTeam } from '../../../src/features/doctor/checkTeam.js';
import { judgeExpiry } from '../../../src/features/doctor/checkTls.js';
import { docsOf, documents } from '../../../src/features/doctor/commands.js';
import { install } from '../../../src/host/install.js';
import { makeCertificate } from '../../kit/certificate.js';
import { makeCertificates } from '../../kit/certificateAuthority.js';
import { complaintOf, runOrderbeacon } from '../../kit/command.js';
import { createEmptyDatabase, createTestDatabase } from '../../kit/database.js';
import { exampleOf } from '../../kit/examples.js';
import { freePort } from '../../kit/freePort.js';
import { startHttp } from '../../kit/http.js';
import { loadReleasedSdk } from '../../kit/madeUpReleases.js';
import { runProcess } from '../../kit/process.js';
import { startRawReceiver } from '../../kit/rawReceiver.js';
import { startServerForTest, startTestServer, type TestServer } from '../../kit/server.js';
import { type Shop, test } from '../../kit/shop.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import { addTestSource } from '../sources/kit/sources.js';

const sdk = await loadReleasedSdk();
let server: TestServer;
let teamId: string;
beforeAll(async () => {
  server = await startTestServer({ sdk });
  ({ teamId } = await server.addTeam('localhost'));
});
afterAll(() => server.close());

/** Runs the doctor with the server's settings. Resolves with its checks by name, and its exit code. */
async function examine(args: string[], env: Record<string, string> = {}) {
  const all = { ...server.env, PUBLIC_URL: server.url, ...env };
  // Node reads further certificates only when a process starts.
  const run = 'NODE_EXTRA_CA_CERTS' in env ? runProcess : runOrderbeacon;
  const { code, stdout, stderr } = await run(['doctor', ...args, '--json'], all);
  expect([stderr, [0, 1]]).toEqual(['', expect.arrayContaining([code])]);
  const checks: Check[] = JSON.parse(stdout);
  expect(code).toBe(checks.every(({ ok }) => ok) ? 0 : 1);
  for (const { ok, message, fix } of checks)
    expect([ok, message !== '', fix === null]).toEqual([ok, true, ok]);
  return {
    checks,
    names: checks.map(({ check }) => check),
    of: (name: string) => checks.find(({ check }) => check === name)!,
  };
}

const wrong = (checks: Check[]) => checks.filter(({ ok }) => !ok).map(({ check }) => check);

/** Starts a site on loopback with one page. */
async function startPage(html: string) {
  const { port } = await startHttp((_, response) => response.end(html));
  return `http://localhost:${port}`;
}

const tag = (more: Partial<Parameters<typeof tagHtml>[0]> = {}) =>
  tagHtml({ publicUrl: server.url, teamId, ...more });

describe('a sound installation', () => {
  it('has nothing to fix, and a page with the tag neither, by the call of the operator’s guide', async () => {
    const page = tag({ pinnedTo: sdk.pin! }).replaceAll('ann@shop.example', 'bea@buyer.example');
    const url = await startPage(`<html>${page}`);
    const line = exampleOf('server/guides/watching.md', 'doctor');
    const [program, verb, ...args] = line
      .replace('https://shop.example', url)
      .replace('team_…', teamId)
      .split(' ');
    expect([program, verb]).toEqual(['node_modules/.bin/orderbeacon', 'doctor']);
    const { checks, names, of } = await examine(args);
    expect(wrong(checks)).toEqual([]);
    expect(names).toEqual([
      ...['database', 'migrations', 'clock', 'public URL', 'TLS', 'proxies', 'keys', 'domains'],
      ...['page', 'tag', 'order', 'script', 'endpoint', 'host', 'policy'],
    ]);
    expect(of('database').message).toMatch(/^PostgreSQL \d+\.\d+, [\d.]+ MB: the database of DATABASE_URL/);
    expect(of('tag').message).toBe(`The tag of ${teamId}, pinned to version 0.0.2.`);
    expect(of('script').message).toContain('loads and matches its integrity');
    expect(of('host').message).toBe(
      'localhost is allowed by localhost; its orders are live. None has arrived in 30 days.',
    );
  });

  it('says when a page of that host has reported its last order', async () => {
    const own = await server.addTeam('localhost');
    const order = { teamId: own.teamId, email: 'ann@shop.example', amount: 5, orderId: '1' };
    const { body } = await server.report(order, { origin: 'http://localhost:8080' });
    const url = await startPage(tag({ teamId: own.teamId }));
    const { of } = await examine(['--team', own.teamId, url]);
    expect(of('host').message).toMatch(
      new RegExp(`live\\. The last one arrived at ${body.data.createdAt}\\.$`),
    );
  });

  it('is told of a page that reports no order, by a note that is no fault', async () => {
    const url = await startPage(scriptHtml({ publicUrl: server.url, teamId }));
    const { code, stdout } = await runOrderbeacon(['doctor', url], { ...server.env, PUBLIC_URL: server.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nok {4}order {7}This page reports no order: .*\n +Note: If it is the confirmation/,
    );
    expect(stdout).toMatch(/checks passed; read the note\.\n$/);
  });

  it('finds no fault of its own demo page, which also shows the pieces to its readers', async () => {
    const own = await startServerForTest({ env: { ORDERBEACON_DEMO: 'on' } });
    await ensureDemoTeam(own.sql, own.url);
    const env = { ...own.env, PUBLIC_URL: own.url };
    const { code, stdout } = await runOrderbeacon(['doctor', `${own.url}/demo`, '--json'], env);
    const checks: Check[] = JSON.parse(stdout);
    expect([code, wrong(checks)]).toEqual([0, []]);
    expect(checks).toContainEqual(expect.objectContaining({ check: 'order', ok: true }));
  });

  it('is told in lines for a person', async () => {
    const { code, stdout } = await runOrderbeacon(['doctor'], { ...server.env, PUBLIC_URL: server.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database {4}PostgreSQL/);
    expect(stdout).toContain('\nAll 6 checks passed.\n');
  });
});

it('each problem, in lines for a person, leads to a page of this server that explains it', async () => {
  const empty = await server.addTeam();
  const { stdout } = await runOrderbeacon(['doctor', '--team', empty.teamId], {
    ...server.env,
    PUBLIC_URL: server.url,
  });
  expect(stdout).toMatch(/\nFAIL {2}domains .*\n +Fix: .*\n +See: (\S+)\n/);
  for (const check of Object.keys(documents)) {
    const [docs] = docsOf(check, server.url);
    const { status, text } = await server.send('GET', new URL(docs!).pathname);
    expect([check, status]).toEqual([check, 200]);
    expect(text).toContain(` id="${new URL(docs!).hash.slice(1) || 'content'}"`);
  }
});

describe('the database', () => {
  it('that is not there is found, none is made, and the rest is still looked at', async () => {
    const folder = join(temporaryFolder(), 'data');
    const env = { DATABASE_URL: '', ORDERBEACON_DATA_DIR: folder };
    const { of, names } = await examine([], env);
    expect(of('database')).toMatchObject({ ok: false, message: expect.stringContaining(folder) });
    expect(names).toEqual(['database', 'public URL', 'TLS', 'proxies']);
    expect(existsSync(folder)).toBe(false);
    const away = await examine([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(away.of('database')).toMatchObject({
      ok: false,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('that lacks a migration, or has one of a newer release, is found', async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.close());
    await own.sql`insert into migration (name) values ('000999_later')`;
    const newer = await examine([], own.env);
    expect(newer.of('migrations').message).toContain('000999_later');
    const bare = await createEmptyDatabase();
    onTestFinished(() => bare.close());
    const empty = await examine(['--team', teamId], bare.env);
    expect(empty.of('migrations')).toMatchObject({ ok: false, fix: expect.stringContaining('migrate') });
    expect(wrong(empty.checks)).toEqual(['migrations']);
  });

  it('that takes no writes is found', async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.close());
    const [{ name }] = await own.sql<[{ name: string }]>`select current_database() as name`;
    await own.sql`alter database ${own.sql(name)} set default_transaction_read_only = on`;
    const readOnly = await examine([], own.env);
    expect(wrong(readOnly.checks)).toEqual(['database']);
    expect(readOnly.of('database').message).toContain('takes no writes');
  });

  it.each([
    ['\\d+\\.\\d seconds', 'behind', -10_000],
    ['90 minutes', 'ahead of', 5_400_000],
    ['26 hours', 'behind', -26 * 3_600_000],
    ['3 days', 'ahead of', 3 * 86_400_000],
  ])('with a machine %s %s it is found', async (span, word, offsetMs) => {
    const checks = await checkDatabase(server.sql, 'it', () => Date.now() + offsetMs);
    expect(checks[2]).toMatchObject({ check: 'clock', ok: false });
    expect(checks[2]!.message).toMatch(new RegExp(`^This machine is ${span} ${word} the database\\.$`));
  });

  it('whose collation has changed with its system is found', async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.close());
    await own.sql`update pg_database set datcollversion = '0.0' where datname = current_database()`;
    const found = (await checkDatabase(own.sql, 'it')).find(({ check }) => check === 'collation');
    expect(found).toMatchObject({
      ok: false,
      message: expect.stringContaining('version 0.0 of its collation'),
    });
    expect(found!.fix).toMatch(
      /reindex database test_\w+; then: alter database test_\w+ refresh collation version$/,
    );
  });

  it('on a disk that is nearly full is found', async () => {
    const read = (bavail: number) =>
      (async () => ({ bavail, blocks: 10_000_000, bsize: 4096 })) as unknown as typeof statfs;
    expect(await checkDisk('/data', read(1_000_000))).toMatchObject({
      ok: true,
      message: '4.1 GB of 41.0 GB are free on the disk of /data.',
    });
    expect(await checkDisk('/data', read(200_000))).toMatchObject({ ok: false, check: 'disk' });
    expect(await checkDisk(temporaryFolder())).toMatchObject({ check: 'disk' });
  });
});

describe('the public URL', () => {
  it('is that of the last serve; unknown, it is asked for', async () => {
    const { of } = await examine([], { PUBLIC_URL: '' });
    expect(of('public URL')).toMatchObject({ ok: false, fix: expect.stringContaining('PUBLIC_URL') });
    await server.sql`update installation set public_url = ${server.url}`;
    expect((await examine([], { PUBLIC_URL: '' })).of('public URL').message).toContain(server.url);
    await server.sql`update installation set public_url = null`;
  });

  it('where nothing or something else answers is found', async () => {
    const other = await startPage('{"success":true}');
    expect((await examine([], { PUBLIC_URL: other })).of('public URL').message).toContain(
      'answers 200, but not as Orderbeacon does',
    );
    const { of, names } = await examine([], { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` });
    expect(of('public URL').message).toContain('ECONNREFUSED');
    expect(names).not.toContain('proxies');
    const { stdout } = await runOrderbeacon(['doctor'], {
      ...server.env,
      PUBLIC_URL: `http://127.0.0.1:${await freePort()}`,
    });
    expect(stdout).toMatch(/\nFAIL {2}public URL/);
    expect(stdout).not.toContain('See:');
  });

  it('of another installation is found', async () => {
    const other = await startServerForTest();
    await other.sql`update installation set secret = repeat('x', 64)`;
    const restarted = await startTestServer({ databaseUrl: other.env.DATABASE_URL! });
    onTestFinished(restarted.close);
    const { of, names } = await examine([], { PUBLIC_URL: restarted.url });
    expect(of('public URL')).toMatchObject({
      ok: false,
      message: expect.stringContaining('its orders are in another database'),
    });
    expect(names).toContain('proxies');
  });

  it('with http: where a proxy speaks TLS, which answers a page of its own, is found', async () => {
    const certificate = await makeCertificate();
    const tls = createTlsServer(certificate, (_, response) => response.end());
    await once(tls.listen(0, '127.0.0.1'), 'listening');
    // On this port, nginx answers plain HTTP with 400, and so does Caddy.
    const { port } = await startRawReceiver((client) => {
      client.once('data', (first) => {
        if (first[0] !== 0x16) return client.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
        const upstream = connectSocket((tls.address() as AddressInfo).port, '127.0.0.1');
        upstream.write(first);
        client.pipe(upstream).pipe(client);
        return upstream.on('error', () => {});
      });
    });
    onTestFinished(() => void tls.close());
    const { of } = await examine([], { PUBLIC_URL: `http://localhost:${port}` });
    expect(of('public URL').fix).toBe(`Set PUBLIC_URL to https://localhost:${port}.`);
  });

  it('whose proxy sends its certificate without the chain, or one of an own authority, is named so', {
    tags: ['all'],
  }, async () => {
    const { issued } = await makeCertificates({ own: ['localhost', '20200101000000Z', '20990101000000Z'] });
    const tls = createTlsServer(issued.own, (_, response) => response.end());
    await once(tls.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void tls.close());
    const PUBLIC_URL = `https://localhost:${(tls.address() as AddressInfo).port}`;
    const { of } = await examine([], { PUBLIC_URL });
    expect(of('public URL')).toMatchObject({ ok: false, fix: 'See the check TLS.' });
    expect(of('TLS').message).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(of('TLS').fix).toMatch(/ssl_certificate names fullchain\.pem.* NODE_EXTRA_CA_CERTS=/);
  });

  it('of plain http beyond this machine is found', async () => {
    // A host name that leads to this machine, which its text does not show.
    const url = new URL(server.url);
    const { of } = await examine([], { PUBLIC_URL: `http://0.0.0.0:${url.port}` });
    expect(of('TLS')).toMatchObject({ ok: false, message: expect.stringContaining('Plain http') });
  });

  it('of https that leads to the server itself, without a proxy, is found', async () => {
    const { of } = await examine([], { PUBLIC_URL: server.url.replace('http:', 'https:') });
    expect(of('TLS')).toMatchObject({ ok: false, fix: expect.stringContaining('Put a proxy with TLS') });
  });

  it('with a certificate that browsers refuse is found, and one that is trusted passes', {
    tags: ['all'],
  }, async () => {
    const folder = temporaryFolder();
    const certificate = await makeCertificate();
    const certFile = join(folder, 'cert.pem');
    writeFileSync(certFile, certificate.cert);
    let forwarded: object = { 'x-forwarded-for': '192.0.2.1' };
    const proxy = createTlsServer(certificate, (incoming, response) => {
      const headers = { ...incoming.headers, ...forwarded };
      incoming.pipe(
        request(new URL(incoming.url!, server.url), { method: incoming.method!, headers }, (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const PUBLIC_URL = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    const refused = await examine([], { PUBLIC_URL });
    expect(refused.of('TLS')).toMatchObject({ ok: false, message: expect.stringContaining('SELF_SIGNED') });
    const plain = await examine([], { PUBLIC_URL: PUBLIC_URL.replace('https', 'http') });
    expect(plain.of('public URL').fix).toBe(`Set PUBLIC_URL to ${PUBLIC_URL}.`);
    const trusted = await examine([], { PUBLIC_URL, NODE_EXTRA_CA_CERTS: certFile });
    expect(trusted.of('TLS')).toMatchObject({
      ok: true,
      message: 'The certificate is valid for 89 more days.',
    });
    expect(trusted.of('proxies')).toMatchObject({
      ok: false,
      message: expect.stringMatching(
        /^1 in front of the server, but ORDERBEACON_TRUST_PROXY is 0: all buyers/,
      ),
      fix: expect.stringContaining('ORDERBEACON_TRUST_PROXY=1'),
    });
    forwarded = {};
    const silent = await examine([], { PUBLIC_URL, NODE_EXTRA_CA_CERTS: certFile });
    expect(silent.of('proxies')).toMatchObject({
      ok: false,
      message: expect.stringContaining('sends no X-Forwarded-For'),
      fix: expect.stringContaining('guides/proxy.md'),
    });
  });

  it('with a certificate that ends in 13 days is found', () => {
    const dayMs = 86_400_000;
    expect(judgeExpiry(15 * dayMs, dayMs)).toMatchObject({ ok: true });
    expect(judgeExpiry(14 * dayMs, dayMs)).toMatchObject({ ok: false });
    expect(judgeExpiry(null, dayMs)).toMatchObject({ ok: false });
  });

  it('with a proxy that is trusted and not there is found', async () => {
    const own = await startServerForTest({ env: { ORDERBEACON_TRUST_PROXY: '1' } });
    const { of } = await examine([], { ...own.env, PUBLIC_URL: own.url });
    expect(of('proxies')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^0 in front of the server, but ORDERBEACON_TRUST_PROXY is 1: anyone/),
    });
  });
});

describe('a team', () => {
  const faultsOf = async ({ sql, team, teamId }: Shop) =>
    wrong(await checkTeam(sql, { uuid: team, teamId }, install(features).checks));

  test('that nobody can report for, or only tests, is found', async ({ shop }) => {
    const { server, sql, team, teamId, domain, addDomain } = shop;
    await addDomain('localhost', { isTest: true });
    await sql`delete from domain where team_id = ${team} and entry = ${domain}`;
    expect((await checkTeam(sql, { uuid: team, teamId }, install(features).checks))[1]).toMatchObject({
      ok: false,
      message: 'Allowed: localhost (test). Every order of this team is a test.',
    });
    await sql`delete from domain where team_id = ${team}`;
    expect(await faultsOf(shop)).toEqual(['keys', 'domains']);
    await server.addKey(team);
    const keyed = await checkTeam(sql, { uuid: team, teamId }, install(features).checks);
    expect([wrong(keyed), keyed[0]!.message]).toEqual([[], '1 live, 0 test; revoked ones do not count.']);
  });

  test('that a source alone reports for is well, unless all that it says is a test', async ({ shop }) => {
    const { server, sql, team } = shop;
    await sql`delete from domain where team_id = ${team}`;
    await addTestSource(server, team, { kind: 'shopify', isTest: true });
    expect(await faultsOf(shop)).toEqual(['domains']);
    await addTestSource(server, team, { kind: 'shopify' });
    expect(await faultsOf(shop)).toEqual([]);
  });
});

it.each(['shop.example', 'file:///etc/passwd', 'ftp://shop.example'])(
  '%s is no address of a page',
  async (url) => {
    expect(complaintOf(await runOrderbeacon(['doctor', url], server.env))).toContain('must be a URL such as');
  },
);
