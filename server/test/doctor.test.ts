import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import type { statfs } from 'node:fs/promises';
import { createServer, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../src/commands/doctor/checkDatabase.js';
import { checkDisk } from '../src/commands/doctor/checkDisk.js';
import { judgeExpiry } from '../src/commands/doctor/checkPublicUrl.js';
import { docsOf, documents } from '../src/commands/doctor/docsOf.js';
import { createHook } from '../src/hooks/sql/hook.js';
import type { Check } from '../src/site/checks/check.js';
import { tagHtml } from '../src/site/tag.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { makeCertificate } from './certificate.js';
import { collectGarbage } from './collectGarbage.js';
import { runOrderbeacon } from './command.js';
import { createEmptyDatabase, createTestDatabase } from './database.js';
import { exampleOf } from './examples.js';
import { loadReleasedSdk } from './madeUpReleases.js';
import { runProcess } from './process.js';
import { startServerForTest, startTestServer } from './server.js';
import { addTestSource } from './sources.js';
import { temporaryFolder } from './temporaryFolder.js';

const sdk = await loadReleasedSdk();
let server: Awaited<ReturnType<typeof startTestServer>>;
let teamId: string;
beforeAll(async () => {
  server = await startTestServer({ sdk });
  ({ teamId } = await server.addTeam('localhost'));
});
afterAll(() => server.close());

/** Runs the doctor with the server's settings; gives its checks by name, and its exit code. */
async function examine(args: string[], env: Record<string, string> = {}) {
  const all = { ...server.env, PUBLIC_URL: server.url, ...env };
  // Node reads further certificates when a process starts.
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

/** A check that only a Citus cluster has. */
const nodes = inject('isCitus') ? ['nodes'] : [];
const wrong = (checks: Check[]) => checks.filter(({ ok }) => !ok).map(({ check }) => check);

/** A site on loopback; `asked` has the paths of all requests. */
async function startSite(answer: (path: string, response: ServerResponse) => void) {
  const asked: string[] = [];
  const site = createServer((incoming, response) => {
    asked.push(incoming.url!);
    answer(incoming.url!, response);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void site.close());
  const { port } = site.address() as AddressInfo;
  return { url: `http://localhost:${port}`, asked };
}

/** An address where nobody listens. */
async function closedUrl() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** A site with one page. */
const startPage = (html: string, headers: Record<string, string> = {}) =>
  startSite((_, response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html));

const tag = (more: Partial<Parameters<typeof tagHtml>[0]> = {}) =>
  tagHtml({ publicUrl: server.url, teamId, ...more });

describe('a sound installation', () => {
  it('has nothing to fix, and a page with the tag neither', async () => {
    const { url } = await startPage(`<html>${tag({ pinnedTo: sdk.pin! })}`);
    const { checks, names, of } = await examine(['--team', teamId, `${url}/thanks`]);
    expect(wrong(checks)).toEqual([]);
    expect(names).toEqual([
      ...['database', 'migrations', 'clock', ...nodes, 'public URL', 'TLS', 'proxies', 'keys', 'domains'],
      ...['page', 'tag', 'script', 'endpoint', 'host', 'policy'],
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
    const { url } = await startPage(tag({ teamId: own.teamId }));
    const { of } = await examine(['--team', own.teamId, url]);
    expect(of('host').message).toMatch(
      new RegExp(`live\\. The last one arrived at ${body.data.createdAt}\\.$`),
    );
  });

  it('is told in lines for a person', async () => {
    const { code, stdout } = await runOrderbeacon(['doctor'], { ...server.env, PUBLIC_URL: server.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database {4}PostgreSQL/);
    expect(stdout).toContain(`\nAll ${6 + nodes.length} checks passed.\n`);
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

it('the example of the operator’s guide is a call that works', async () => {
  const line = exampleOf('server/guides/watching.md', 'doctor');
  const { url } = await startPage(tag());
  const words = line.replace('team_…', teamId).replace('https://shop.example/thanks', url).split(' ');
  expect(words.slice(0, 2)).toEqual(['node_modules/.bin/orderbeacon', 'doctor']);
  expect(wrong((await examine(words.slice(2))).checks)).toEqual([]);
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
    expect((await examine([], { PUBLIC_URL: other.url })).of('public URL').message).toContain(
      'answers 200, but not as Orderbeacon does',
    );
    const { of, names } = await examine([], { PUBLIC_URL: await closedUrl() });
    expect(of('public URL').message).toContain('ECONNREFUSED');
    expect(names).not.toContain('proxies');
    const { stdout } = await runOrderbeacon(['doctor'], { ...server.env, PUBLIC_URL: await closedUrl() });
    expect(stdout).toMatch(/\nFAIL {2}public URL/);
    expect(stdout).not.toContain('See:');
  });

  it('of plain http beyond this machine is found', async () => {
    // A name that leads to this machine, and does not say so.
    const url = new URL(server.url);
    const { of } = await examine([], { PUBLIC_URL: `http://0.0.0.0:${url.port}` });
    expect(of('TLS')).toMatchObject({ ok: false, message: expect.stringContaining('Plain http') });
  });

  it('with a certificate that browsers refuse is found, and one that is trusted passes', async () => {
    const folder = temporaryFolder();
    const certificate = await makeCertificate();
    const certFile = join(folder, 'cert.pem');
    writeFileSync(certFile, certificate.cert);
    const proxy = createTlsServer(certificate, (incoming, response) => {
      const headers = { ...incoming.headers, 'x-forwarded-for': '192.0.2.1' };
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
  });

  it('with a certificate that ends in 13 days is found', () => {
    const dayMs = 86_400_000;
    expect(judgeExpiry(15 * dayMs, dayMs)).toMatchObject({ ok: true });
    expect(judgeExpiry(14 * dayMs, dayMs)).toMatchObject({ ok: false });
    expect(judgeExpiry(null, dayMs)).toMatchObject({ ok: false });
  });

  it('with a proxy that is trusted and not there is found', async () => {
    const own = await startServerForTest({
      env: { ORDERBEACON_TRUST_PROXY: '1', ORDERBEACON_RATE_LIMIT: 'off' },
    });
    const { of } = await examine([], { ...own.env, PUBLIC_URL: own.url });
    expect(of('proxies')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^0 in front of the server, but ORDERBEACON_TRUST_PROXY is 1: anyone/),
    });
  });
});

describe('a team', () => {
  it('that nobody can report for, or only tests, is found', async () => {
    const none = await server.addTeam();
    expect(wrong((await examine(['--team', none.teamId])).checks)).toEqual(['keys', 'domains']);
    await server.sql`insert into domain (team_id, entry, is_test) values (${none.uuid}, 'localhost', true)`;
    const { of } = await examine(['--team', none.teamId]);
    expect(of('domains')).toMatchObject({
      ok: false,
      message: 'Allowed: localhost (test). Every order of this team is a test.',
    });
    await server.addKey(none.uuid);
    const keyed = await examine(['--team', none.teamId]);
    expect([keyed.of('keys').message, wrong(keyed.checks)]).toEqual([
      '1 live, 0 test; revoked ones do not count.',
      [],
    ]);
  });

  it('that a source alone reports for is well, unless all that it says is a test', async () => {
    const { uuid, teamId } = await server.addTeam();
    await addTestSource(server, uuid, { kind: 'shopify', isTest: true });
    expect(wrong((await examine(['--team', teamId])).checks)).toEqual(['domains']);
    await addTestSource(server, uuid, { kind: 'shopify' });
    expect(wrong((await examine(['--team', teamId])).checks)).toEqual([]);
  });

  it('whose webhook fails, or was switched off for it, is found, with the fix', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const look = async () => (await examine(['--team', teamId])).of('webhooks');
    expect(await look()).toBeUndefined();
    const id = newUuid();
    const given = { url: 'https://receiver.invalid/', isTest: false, allowsPrivate: false, secret: 'whsec_' };
    await createHook(server.sql, uuid, { ...given, id, events: ['order.created'], format: 'standard' });
    expect(await look()).toMatchObject({ ok: true, message: '1 webhook, 0 switched off, none that fails.' });
    await server.sql`update hook set failing_since = '2026-11-01T08:00Z' where team_id = ${uuid}`;
    const hookId = encodeId('hook', id);
    expect(await look()).toMatchObject({
      ok: false,
      message: `1 webhook, 0 switched off. ${hookId} fails since 2026-11-01T08:00:00.000Z.`,
      fix: expect.stringContaining(`hook test --team ${teamId} ${hookId}`),
    });
    await server.sql`update hook set disabled_at = now(), disabled_reason = 'It answered 410.' where team_id = ${uuid}`;
    expect((await look())!.message).toBe(
      `1 webhook, 1 switched off. ${hookId} was switched off: It answered 410.`,
    );
    await server.sql`update hook set disabled_reason = null where team_id = ${uuid}`;
    expect(await look()).toMatchObject({ ok: true, message: '1 webhook, 1 switched off, none that fails.' });
  });

  it('that does not exist gets one line and exit 2', async () => {
    const { code, stderr } = await runOrderbeacon(['doctor', '--team', 'team_x'], server.env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('No team has the id "team_x"')]);
  });
});

describe('a page', () => {
  /** Checks of a page with this HTML that are not well. */
  async function faultsOf(html: string, headers?: Record<string, string>, ...args: string[]) {
    const { url } = await startPage(html, headers);
    const { checks, of } = await examine([...args, url]);
    return { faults: wrong(checks), of };
  }

  it('without the tag, with two, with none or another team', async () => {
    expect((await faultsOf('<p>Thanks!</p>')).faults).toEqual(['tag']);
    expect((await faultsOf(tag() + tag())).faults).toEqual(['tag']);
    expect((await faultsOf(tag().replace(/ data-team-id="\w+"/, ''))).faults).toEqual(['tag']);
    const other = await server.addTeam('localhost');
    const { faults, of } = await faultsOf(tag(), {}, '--team', other.teamId);
    expect([faults, of('tag').message]).toEqual([
      ['tag'],
      `The tag names the team ${teamId}, not ${other.teamId}.`,
    ]);
    const second = tag({ teamId: other.teamId }).replace(
      '<script async',
      '<script async data-global="second"',
    );
    for (const team of [teamId, other.teamId])
      expect((await faultsOf(tag() + second, {}, '--team', team)).faults).toEqual([]);
    expect((await faultsOf(tag() + second + second)).faults).toEqual(['tag']);
    const held = await faultsOf(tag().replace('<script async', '<script type="text/plain"'));
    expect([held.faults, held.of('tag').message]).toEqual([
      ['tag'],
      'Browsers do not run the tag: its type is text/plain, as consent tools write it.',
    ]);
    const made = await faultsOf(tag({ teamId: 'team_…' }));
    expect([made.faults, made.of('host').message]).toEqual([['host'], expect.stringContaining('"team_…"')]);
  });

  it('whose host is not allowed gets the very command that allows it', async () => {
    const own = await server.addTeam('shop.example');
    const { faults, of } = await faultsOf(tag({ teamId: own.teamId }));
    expect([faults, of('host').fix]).toEqual([
      ['host'],
      `node_modules/.bin/orderbeacon domain add --team ${own.teamId} --test localhost`,
    ]);
  });

  it('whose script is not served, or is not the one that integrity names', async () => {
    const missing = await faultsOf(tag().replace('/sdk/track.js', '/sdk/9.9.9/track.js'));
    expect([missing.faults, missing.of('script').message]).toEqual([
      ['script'],
      expect.stringContaining('404'),
    ]);
    const changed = tag({ pinnedTo: sdk.pin! }).replace(/sha384-./, 'sha384-_');
    expect((await faultsOf(changed)).of('script').message).toContain('browsers refuse it');
    const bare = tag({ pinnedTo: sdk.pin! }).replace(' crossorigin="anonymous"', '');
    expect((await faultsOf(bare)).of('script').message).toBe(
      'The tag has integrity without crossorigin: browsers refuse it.',
    );
    expect((await faultsOf(bare.replace('<script async', '<script type=module'))).faults).toEqual([]);
  });

  it('whose reports lead to no Orderbeacon server, and how', async () => {
    const site = await startSite(async (path, response) => {
      if (path === '/') return response.end(pageTag);
      if (!path.startsWith('/orders/')) return response.writeHead(path.endsWith('.js') ? 200 : 404, js).end();
      const answer = await fetch(server.url + path.slice('/orders'.length));
      response.writeHead(answer.status, js).end(await answer.text());
    });
    const js = { 'content-type': 'text/javascript' };
    let pageTag = '';
    const tried = async (endpoint: string) => {
      pageTag = `<script src="/orders/sdk/track.js" data-team-id="${teamId}" ${endpoint}></script>`;
      const { checks, of } = await examine([site.url]);
      return [wrong(checks).join(), of('endpoint').message];
    };
    const orders = '/svc-api/v1/orders';
    const lost = (url: string) => `${url}${orders} answers 404, and not as this server does.`;
    expect(await tried('data-endpoint="/orders/"')).toEqual([
      '',
      `Reports go to ${site.url}/orders${orders}.`,
    ]);
    expect(await tried('data-endpoint="/other"')).toEqual(['endpoint', lost(`${site.url}/other`)]);
    expect(await tried('')).toEqual(['endpoint', lost(site.url)]);
    expect(await tried('data-endpoint="orders.shop.example"')).toEqual([
      'endpoint',
      'The tag’s data-endpoint is neither a URL with https:// nor a path.',
    ]);
    expect(await tried('data-endpoint="https://old.example"')).toEqual([
      'endpoint',
      `Reports go to https://old.example, but the server’s address is ${server.url}.`,
    ]);
  });

  it('whose Content-Security-Policy, in a header or a meta element, stops script, lines or report', async () => {
    const policy = (text: string) => ({ 'content-security-policy': text });
    const all = `script-src ${server.url} 'unsafe-inline'; connect-src ${server.url}`;
    expect((await faultsOf(tag(), policy(all))).faults).toEqual([]);
    const { faults, of } = await faultsOf(tag(), policy("default-src 'self'"));
    expect([faults, of('policy').fix]).toEqual([
      ['policy'],
      `In the policy: add ${server.url} to script-src, or the policy’s nonce to the tag; give it the policy’s nonce; add ${server.url} to connect-src.`,
    ]);
    const byPath = await faultsOf(tag().replace('<script async', '<script data-endpoint="/p"'), policy(all));
    expect(byPath.of('policy').message).toMatch(/: connect-src blocks the report\.$/);
    const meta = `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`;
    const byMeta = await faultsOf(meta + tag());
    expect([byMeta.faults, byMeta.of('policy').message]).toEqual([
      ['policy'],
      expect.stringMatching(/: connect-src blocks the report\.$/),
    ]);
  });

  it('that answers 404, or nothing', async () => {
    const site = await startSite((_, response) => response.writeHead(404).end());
    const { checks, of } = await examine([`${site.url}/gone`]);
    expect([wrong(checks), of('page').message]).toEqual([['page'], `${site.url}/gone answers 404.`]);
    expect((await examine([await closedUrl()])).of('page').message).toContain('ECONNREFUSED');
  });

  it('that redirects is followed within its host, and no other host is asked anything', async () => {
    const stranger = await startPage(tag());
    const strangerUrl = stranger.url.replace('localhost', '127.0.0.1');
    const site = await startSite((path, response) => {
      if (path === '/old') response.writeHead(302, { location: '/new' }).end();
      else if (path === '/away') response.writeHead(302, { location: `${strangerUrl}/there` }).end();
      else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else response.end(tag({ publicUrl: strangerUrl }));
    });
    const followed = await examine([`${site.url}/old`]);
    expect(followed.of('page').message).toBe(`${site.url}/new answers 200.`);
    expect(followed.of('script').message).toContain(`The tag loads from ${strangerUrl}, but`);
    const away = await examine([`${site.url}/away`]);
    expect(away.of('page')).toMatchObject({
      ok: false,
      fix: expect.stringContaining(`doctor ${strangerUrl}/there`),
    });
    expect((await examine([`${site.url}/loop`])).of('page').message).toContain('redirects more than 5 times');
    expect(stranger.asked).toEqual([]);
  });

  it.each([
    'http://[',
    'https://shop.example:99999/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
  ])('that redirects to %s has a problem, and the doctor goes on', async (location) => {
    const site = await startSite((_, response) => response.writeHead(302, { location }).end());
    const { of, checks } = await examine([site.url]);
    expect(of('page')).toMatchObject({ ok: false, message: expect.stringContaining(`"${location}"`) });
    expect(checks[0]!.check).toBe('database');
  });

  it('that redirects to another port of its host is not followed', async () => {
    const other = await startPage(tag());
    const site = await startSite((_, response) => response.writeHead(301, { location: other.url }).end());
    expect((await examine([site.url])).of('page').fix).toContain(`doctor ${other.url}`);
    expect(other.asked).toEqual([]);
  });

  it('that never ends, or ends slowly, is given up, though garbage is collected meanwhile', async () => {
    const big = await startSite((_, response) => {
      const more = () => response.write('<p>'.repeat(100_000)) && setImmediate(more);
      response.on('drain', more).on('error', () => {});
      more();
    });
    expect((await examine([big.url])).of('page').ok).toBe(true);
    const slow = await startSite((_, response) => {
      response.write('<html>');
      const timer = setInterval(() => response.write(' '), 500);
      response.on('close', () => clearInterval(timer));
    });
    // Node 20 forgets the time limit of a signal that only `AbortSignal.any` holds once garbage is collected.
    const collecting = setInterval(collectGarbage, 1000);
    onTestFinished(() => clearInterval(collecting));
    expect((await examine([slow.url])).of('page').message).toContain('no answer within 10 s');
  });

  it('must be an address', async () => {
    for (const url of ['shop.example', 'file:///etc/passwd', 'ftp://shop.example']) {
      const { code, stdout, stderr } = await runOrderbeacon(['doctor', url], server.env);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('must be a URL such as')]);
    }
  });
});
