import { createHmac } from 'node:crypto';
import { PassThrough, Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../src/commands/program.js';
import type { Sql } from '../src/database/connection/connect.js';
import { decodeId, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { createTestDatabase } from './database.js';
import { exampleOf } from './examples.js';
import { findWaitsBehind } from './lockWaits.js';
import { runProcess } from './process.js';
import { startTestServer } from './server.js';
import { temporaryFolder } from './temporaryFolder.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Runs a subcommand with `--json` beside the running server, and parses its output. */
async function json(args: string[], input: string | Buffer = '') {
  const { code, stdout, stderr } = await runOrderbeacon([...args, '--json'], server.env, input);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** Runs a subcommand and expects a refusal: exit 2, one line on stderr, nothing on stdout. */
async function refused(args: string[], input: string | Buffer = ''): Promise<string> {
  const { code, stdout, stderr } = await runOrderbeacon(args, server.env, input);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([
    2,
    '',
    [expect.stringMatching(/^orderbeacon: \S/)],
  ]);
  return stderr;
}

describe('beside a running server', () => {
  it('team create, update and list print the team as it is stored', async () => {
    const team = await json([
      'team',
      'create',
      '--name',
      'Shop',
      '--storefront-url',
      'https://shop.example/',
    ]);
    expect(team).toEqual({
      id: expect.stringMatching(/^team_/),
      name: 'Shop',
      storefrontUrl: 'https://shop.example',
      requiresSignature: false,
    });
    const changed = await json(['team', 'update', '--team', team.id, '--name', 'Store']);
    expect(changed).toEqual({ ...team, name: 'Store' });
    expect(await json(['team', 'list'])).toContainEqual(changed);
  });

  it('team create --domain D --link allows the domain, and prints the HTML to paste and a link to the console', async () => {
    const made = await json(['team', 'create', '--name', 'Shop', '--domain', 'Shop.example', '--link']);
    const tag = await json(['tag', '--team', made.id]);
    expect(made).toEqual({
      ...(await json(['team', 'list'])).find(({ id }: { id: string }) => id === made.id),
      ...tag,
      domain: 'shop.example',
      isTest: false,
      url: expect.stringContaining('/console/sign-in#'),
      expiresAt: expect.any(String),
    });
    expect(await json(['domain', 'list', '--team', made.id])).toEqual([
      { domain: 'shop.example', isTest: false },
    ]);
    const { stdout } = await runOrderbeacon(
      ['team', 'create', '--name', 'Shop', '--domain', 'localhost', '--link'],
      server.env,
    );
    expect(stdout).toMatch(
      /^Created team_\w+\..*\nAllowed localhost\. Its orders are tests.*\n\n<!-- Every page[\s\S]+<\/script>\n\nConsole: http\S+#\S+\n.* works once, until /,
    );
    const before = await json(['team', 'list']);
    expect(await refused(['team', 'create', '--name', 'Shop', '--domain', '*.co.uk'])).toContain('co.uk');
    expect(await json(['team', 'list'])).toEqual(before);
  });

  it('a key works from its creation until its revocation, and lists show its last four characters', async () => {
    const { teamId } = await server.addTeam();
    const live = await json(['key', 'create', '--team', teamId, '--name', 'webhook']);
    const test = await json(['key', 'create', '--team', teamId, '--test']);
    expect(live).toMatchObject({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^ob_live_\w{36}$/),
      mode: 'live',
    });
    expect(test.key).toMatch(/^ob_test_\w{36}$/);
    const order = { teamId, email: 'ann@buyer.example', amount: 1 };
    expect((await server.reportByKey(live.key, order)).status).toBe(200);
    await json(['key', 'revoke', '--team', teamId, live.id]);
    expect((await server.reportByKey(live.key, order)).status).toBe(401);
    expect((await server.reportByKey(test.key, order)).status).toBe(200);
    const listed = await json(['key', 'list', '--team', teamId]);
    expect(listed.map((key: { lastFour: string }) => key.lastFour)).toEqual([
      live.key.slice(-4),
      test.key.slice(-4),
    ]);
    expect(listed[0].revokedAt).toMatch(/^\d{4}-/);
    expect(JSON.stringify(listed)).not.toContain(live.key);
  });

  it('a signing key signs from its creation until its revocation, and is shown once', async () => {
    const { teamId } = await server.addTeam('shop.example');
    const made = await json(['signing-key', 'create', '--team', teamId, '--name', 'shop']);
    const test = await json(['signing-key', 'create', '--team', teamId, '--test']);
    expect(made).toEqual({
      id: expect.stringMatching(/^sig_/),
      key: expect.stringMatching(/^ob_sign_\w{36}$/),
      isTest: false,
      name: 'shop',
    });
    const signed = (orderId: string) => {
      const values = [teamId, orderId, 'ann@buyer.example', '1', 'USD'].join('\n');
      const signature = createHmac('sha256', made.key).update(values).digest('hex');
      return server.report({ teamId, email: 'ann@buyer.example', amount: 1, orderId, signature });
    };
    expect((await signed('1')).status).toBe(200);
    await json(['signing-key', 'revoke', '--team', teamId, made.id]);
    expect((await signed('2')).body.error.code).toBe('invalid_signature');
    const listed = await json(['signing-key', 'list', '--team', teamId]);
    expect(listed).toMatchObject([
      {
        id: made.id,
        name: 'shop',
        lastFour: made.key.slice(-4),
        revokedAt: expect.stringMatching(/^\d{4}-/),
      },
      { id: test.id, isTest: true, lastFour: test.key.slice(-4), revokedAt: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(made.key.slice(0, -4));
  });

  it('a team that requires signatures says so in lists, and is told when it has no key to sign with', async () => {
    const { teamId } = await server.addTeam('shop.example');
    const update = (...more: string[]) => json(['team', 'update', '--team', teamId, ...more]);
    const order = { teamId, email: 'ann@buyer.example', amount: 1 };
    expect(await update('--require-signature')).toMatchObject({ id: teamId, requiresSignature: true });
    expect(await json(['team', 'list'])).toContainEqual(
      expect.objectContaining({ id: teamId, requiresSignature: true }),
    );
    expect((await server.report(order)).body.error.code).toBe('signature_required');
    const told = await runOrderbeacon(
      ['team', 'update', '--team', teamId, '--require-signature'],
      server.env,
    );
    expect(told.stdout).toContain('signing-key create');
    await json(['signing-key', 'create', '--team', teamId]);
    expect(
      (await runOrderbeacon(['team', 'update', '--team', teamId, '--require-signature'], server.env)).stdout,
    ).not.toContain('signing-key create');
    expect(await update('--name', 'Store')).toMatchObject({ requiresSignature: true });
    expect(await update('--no-require-signature')).toMatchObject({ requiresSignature: false });
    expect((await server.report(order)).status).toBe(200);
  });

  it('a domain is allowed from its addition until its removal', async () => {
    const { teamId } = await server.addTeam();
    const order = { teamId, email: 'ann@buyer.example', amount: 1 };
    const from = async () => (await server.report(order, { origin: 'https://xn--bcher-kva.example' })).status;
    expect(await from()).toBe(403);
    const added = await json(['domain', 'add', '--team', teamId, 'Bücher.example']);
    expect(added).toEqual({ domain: 'xn--bcher-kva.example', isTest: false });
    expect(await from()).toBe(200);
    expect(await json(['domain', 'add', '--team', teamId, '--test', 'bücher.example'])).toMatchObject({
      isTest: true,
    });
    expect(await json(['domain', 'list', '--team', teamId])).toEqual([{ ...added, isTest: true }]);
    await json(['domain', 'remove', '--team', teamId, 'bücher.example']);
    expect(await from()).toBe(403);
  });

  it('a person is added, enrolled, listed, exported and erased', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const sequence = await json(['sequence', 'create', '--team', teamId, '--name', 'Welcome']);
    expect(sequence).toEqual({ id: expect.stringMatching(/^seq_/), name: 'Welcome' });
    const person = await json([
      'person',
      'add',
      '--team',
      teamId,
      '--email',
      'Ann@Buyer.example',
      '--name',
      'Ann',
    ]);
    expect(person).toEqual({ id: expect.stringMatching(/^ppl_/), email: 'ann@buyer.example', name: 'Ann' });
    await server.enroll(key, { email: 'ann@buyer.example', sequenceId: sequence.id });
    const order = {
      teamId,
      email: 'ann@buyer.example',
      amount: 12.5,
      name: 'Ann',
      visitorId: 'v1',
      orderId: 'erase-me-not',
    };
    const { data } = (await server.report(order)).body;
    expect(data.peopleId).toBe(person.id);
    expect(await json(['sequence', 'list', '--team', teamId])).toEqual([{ ...sequence, enrolled: 1 }]);

    const exported = await json(['person', 'export', '--team', teamId, '--email', 'ann@buyer.example']);
    expect(exported).toMatchObject({
      ...person,
      subscriptions: [{ sequenceId: sequence.id }],
      orders: [{ id: data.id, amount: 12.5 }],
    });

    const erased = await json(['person', 'erase', '--team', teamId, '--email', 'ann@buyer.example']);
    expect(erased).toEqual({ ...person, orders: 1, subscriptions: 1, refused: 0 });
    expect(await json(['person', 'list', '--team', teamId])).toEqual([]);
    const [kept] = await json(['order', 'list', '--team', teamId]);
    expect(kept).toMatchObject({
      id: data.id,
      orderId: 'erase-me-not',
      amount: 12.5,
      email: null,
      name: null,
      visitorId: null,
    });
    expect(kept.peopleId).not.toBe(person.id);
    const dump = await server.sql`select person::text from person where team_id = ${uuid}`;
    expect(JSON.stringify(dump).toLowerCase()).not.toContain('ann');
  });

  it('person edit gives a name that no report changes, and takes one away', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const who = ['--team', teamId, '--email', 'Ann@Buyer.example'];
    const report = { teamId, email: 'ann@buyer.example', amount: 1 };
    const { data } = (await server.report({ ...report, name: 'Squatted' })).body;
    const person = { id: data.peopleId, email: 'ann@buyer.example', name: 'Ann' };
    expect(await json(['person', 'edit', ...who, '--name', 'Ann'])).toEqual(person);
    await server.report({ ...report, name: 'Squatted' });
    await server.reportByKey(key, { ...report, name: 'Key' });
    expect(await json(['person', 'list', '--team', teamId])).toEqual([person]);
    expect(await json(['person', 'edit', ...who])).toEqual({ ...person, name: null });
    await server.report({ ...report, name: 'Page' });
    // A command is believed as a key is.
    expect(await json(['person', 'add', ...who, '--name', 'Added'])).toEqual({ ...person, name: 'Added' });
    expect(await json(['person', 'add', ...who, '--name', 'Other'])).toEqual({ ...person, name: 'Added' });
    const nobody = ['person', 'edit', '--team', teamId, '--email', 'no@body.example', '--name', 'X'];
    expect(await runOrderbeacon(nobody, server.env)).toMatchObject({
      code: 2,
      stderr: 'orderbeacon: This team has no person with the email "no@body.example".\n',
    });
  });

  it('order discard removes a test order or one that only pages reported, and no other', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const testKey = await server.addKey(uuid, 'test');
    const report = { teamId, email: 'ann@buyer.example', amount: 1 };
    const page = (await server.report({ ...report, orderId: 'page' })).body.data;
    const test = (await server.reportByKey(testKey, { ...report, orderId: 'test' })).body.data;
    const live = (await server.reportByKey(key, { ...report, orderId: 'live' })).body.data;
    await server.report({ ...report, orderId: 'both' });
    const both = (await server.reportByKey(key, { ...report, orderId: 'both' })).body.data;
    const discard = (id: string) => ['order', 'discard', '--team', teamId, id];
    expect(await json(discard(page.id))).toMatchObject({ id: page.id, orderId: 'page', amount: 1 });
    expect(await json(discard(test.orderNumber))).toMatchObject({ id: test.id, isTest: true });
    for (const { id, orderNumber } of [live, both]) {
      const { code, stdout, stderr } = await runOrderbeacon(discard(id), server.env);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        `${orderNumber} was not discarded: it is a live order that a backend has reported`,
      );
    }
    for (const id of [page.id, 'ORD-NONE', 'x'])
      expect((await runOrderbeacon(discard(id), server.env)).stderr).toContain(`no order "${id}"`);
    const left = await json(['order', 'list', '--team', teamId]);
    expect(left.map((order: { id: string }) => order.id)).toEqual([both.id, live.id]);
    // A script whose variable is empty: the newest order must not be taken for the one that is meant.
    await server.report({ ...report, orderId: 'newest' });
    for (const id of ['', ' '])
      expect(await runOrderbeacon(discard(id), server.env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`no order "${id}"`),
      });
    expect(await json(['order', 'list', '--team', teamId])).toHaveLength(3);
    expect(await server.report({ ...report, orderId: 'page' })).toMatchObject({
      body: { data: { isNew: true } },
    });
  });

  it('person erase waits for an order that is being stored for the person, and erases the person from it', async () => {
    const { uuid, teamId } = await server.addTeam();
    const email = 'ann@buyer.example';
    const person = await json(['person', 'add', '--team', teamId, '--email', email]);
    const personId = decodeId('ppl', person.id)!;
    const { sql } = server;
    let erasing: ReturnType<typeof runOrderbeacon>;
    await sql.begin(async (tx) => {
      await tx`
        insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at)
        values (${uuid}, ${newUuid()}, 'ORD-0', ${personId}, 1, 'USD', 'OTHER', false, 'key', now())`;
      // As the statement that stores an order locks its buyer.
      await tx`select from person where team_id = ${uuid} and id = ${personId} for no key update`;
      erasing = runOrderbeacon(['person', 'erase', '--team', teamId, '--email', email, '--json'], server.env);
      await expect.poll(() => findWaitsBehind(sql, tx as unknown as Sql)).toHaveLength(1);
    });
    const { code, stdout, stderr } = await erasing!;
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ email, orders: 1 });
    expect(await json(['person', 'list', '--team', teamId])).toEqual([]);
    expect(await json(['order', 'list', '--team', teamId])).toMatchObject([{ email: null, amount: 1 }]);
  });

  it('a price that would be rounded is refused, and no text of a file reaches the terminal as a command', async () => {
    const { teamId } = await server.addTeam();
    const product = (more: string) => `[{"title":"T","slug":"t","type":"PHYSICAL",${more}}]`;
    const args = ['product', 'import', '--team', teamId, '-'];
    for (const price of ['12345678901234567890', '19.990000000000000001', '1e400'])
      expect(await refused(args, product(`"price":${price}`))).toMatch(
        /0\.price must be a number; .*15 significant/,
      );
    const group = `"optionGroups":[{"name":"g","values":[]}],"skus":[{"sku":"s","options":[{"group":"\\u001b[2J","value":"v"}]}]`;
    const error = await refused(args, product(`"price":1,${group}`));
    expect(error).toContain('\ufffd[2J: v');
    expect(error).not.toContain('\u001b');
    expect(await refused(args, product('"price":1,"counts":null'))).toMatch(
      /counts must be an object, not null/,
    );
    expect(await refused(args, product('"price":1,"category":"Shirts"'))).toMatch(
      /category must be an object/,
    );
    expect(await refused(args, product('"price":1,"skus":["s"]'))).toMatch(/skus\.0 must be an object/);
    expect(await json(['product', 'list', '--team', teamId])).toEqual([]);
  });

  it('product import names every bad field of a file, also of a product without a type, and imports nothing', async () => {
    const { teamId } = await server.addTeam();
    const args = ['product', 'import', '--team', teamId, '-'];
    const bad = [
      { title: 'Good', slug: 'good', type: 'DIGITAL', price: 1 },
      { slug: 'a b', type: 'EVENT', price: -1, capacity: 'many' },
      { title: '', slug: 'c', price: '9' },
    ];
    const error = await refused(args, JSON.stringify(bad));
    expect(error).toMatch(
      /imported: 1\.title is required; 1\.slug must be letters.*; 1\.price must be at least 0; 1\.capacity must .*; 2\.type must be one of PHYSICAL.*; 2\.title must not be empty.*; 2\.price must be a number/,
    );
    expect(await refused(args, JSON.stringify(Array(150).fill({})))).toMatch(/; and 500 more\.\s*$/);
    expect(await json(['product', 'list', '--team', teamId])).toEqual([]);
  });

  it('the example of products.json in the guide is imported, and imported again by product export', async () => {
    const { teamId } = await server.addTeam();
    const args = ['product', 'import', '--team', teamId, '-'];
    const example = exampleOf('server/guides/products.md', 'products');
    expect(await json(args, example)).toMatchObject({ imported: 3 });
    const exported = await json(['product', 'export', '--team', teamId]);
    expect(exported).toMatchObject([
      { slug: 'brewing-tea', startsAt: '2027-03-01T18:00:00.000Z', speakers: ['Ann Lee'] },
      { slug: 'gift-card', price: 25 },
      { slug: 't-shirt', skus: [{ sku: 'TEE-M' }, { sku: 'TEE-L', price: 26.95, isSoldOut: true }] },
    ]);
    await json(args, JSON.stringify(exported));
    expect(await json(['product', 'export', '--team', teamId])).toEqual(exported);
    // JSON leaves these ends of lines within a text as they are.
    exported[0].title = 'Brewing\u2028tea\u2029';
    await json(args, JSON.stringify(exported));
    exported[0].updatedAt = expect.any(String);
    expect(await json(['product', 'export', '--team', teamId])).toEqual(exported);
    // Together they may be longer than a text can be, so each is written by itself.
    const pieces: string[] = [];
    const stdout = new Writable({ write: (piece, _encoding, done) => done(void pieces.push(String(piece))) });
    const io = { env: server.env, stdin: Readable.from([]), stdout, stderr: new PassThrough() };
    expect(await runCommand(['product', 'export', '--team', teamId], io)).toBe(0);
    expect(pieces.length).toBeGreaterThanOrEqual(exported.length);
    const text = pieces.join('');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(await json(['product', 'export', '--team', (await server.addTeam()).teamId])).toEqual([]);
  });

  it('person import takes a CSV file in any column order, all rows or none', async () => {
    const { teamId } = await server.addTeam();
    const rows = Array.from({ length: 2500 }, (_, n) => `Person ${n},x,p${n}@buyer.example`).join('\n');
    const csv = `\uFEFFName,Note,EMAIL\n${rows}\n"Last, first",y,P0@buyer.example\n`;
    expect(await json(['person', 'import', '--team', teamId, '-'], csv)).toEqual({
      imported: 2500,
      rows: 2501,
    });
    const people = await json(['person', 'list', '--team', teamId]);
    expect(people).toHaveLength(2500);
    expect(people[0]).toMatchObject({ email: 'p0@buyer.example', name: 'Person 0' });

    const other = await server.addTeam();
    const bad = `${csv}Bad,z,not-an-email\n`;
    expect(await refused(['person', 'import', '--team', other.teamId, '-'], bad)).toMatch(
      /line 2503: email must be/,
    );
    const refusals: [string | Buffer, RegExp][] = [
      ['name\nAnn\n', /columns, and one of them must be email/],
      ['', /columns, and one of them must be email/],
      ['\n\n', /columns, and one of them must be email/],
      ['email,name\nann@buyer.example,Ann,more\n', /line 2/],
      ['email,Email\nann@buyer.example,bob@buyer.example\n', /two columns are called email/],
      ['email,name, NAME\nann@buyer.example,Ann,Bob\n', /two columns are called name/],
      ['email,name\nann@buyer.example,"Ann\n', /Nothing was imported: Quote/],
      ['email,name\nann@buyer.example,Ann "the" B\n', /Nothing was imported: Invalid Opening Quote.*line 2/],
      [Buffer.from('email,name\nann@buyer.example,Jos\xe9\n', 'latin1'), /stdin is not UTF-8/],
    ];
    for (const [input, expected] of refusals) {
      expect(await refused(['person', 'import', '--team', other.teamId, '-'], input)).toMatch(expected);
    }
    expect(await refused(['person', 'import', '--team', other.teamId, '/'])).toMatch(
      /Cannot read \/: EISDIR/,
    );
    expect(await json(['person', 'list', '--team', other.teamId])).toEqual([]);
  });

  it('order list shows every stored field, newest first, from --since on; order export has the same rows', async () => {
    const { uuid, teamId } = await server.addTeam('shop.example');
    await server.report({ teamId, email: 'a@buyer.example', amount: 1, orderId: 'first' });
    await server.report({
      teamId,
      email: 'b@buyer.example',
      amount: 0.1,
      orderId: '=1+1',
      currency: 'EUR',
      source: 'paypal',
      name: 'Bea, "B"',
      items: [{ sku: 'S', quantity: 1 }],
      visitorId: 'v',
      landings: btoa('1777622400000 undefined ?utm_source==x /'),
      tax: 0.02,
      reportId: 'r',
    });
    const orders = await json(['order', 'list', '--team', teamId]);
    expect(orders.map((order: { orderId: string }) => order.orderId)).toEqual(['=1+1', 'first']);
    expect(orders[0]).toEqual({
      id: expect.stringMatching(/^ord_/),
      orderNumber: expect.stringMatching(/^ORD-/),
      orderId: '=1+1',
      // A page's reportId counts only where there is no orderId.
      reportId: null,
      idempotencyKey: null,
      peopleId: expect.stringMatching(/^ppl_/),
      email: 'b@buyer.example',
      name: 'Bea, "B"',
      amount: 0.1,
      currency: 'EUR',
      paymentStatus: 'PAID',
      refundedAmount: 0,
      source: 'PAYPAL',
      items: [{ sku: 'S', quantity: 1 }],
      visitorId: 'v',
      firstTouch: {
        at: '2026-05-01T08:00:00.000Z',
        path: '/',
        referrer: null,
        source: '=x',
        medium: null,
        campaign: null,
        term: null,
        content: null,
        clickId: null,
      },
      lastTouch: null,
      extra: { tax: 0.02 },
      isTest: false,
      reportedBy: 'browser',
      createdAt: expect.stringMatching(/Z$/),
    });
    await server.sql`update placed_order set created_at = now() - interval '3 days' where team_id = ${uuid} and order_id = 'first'`;
    expect(await json(['order', 'list', '--team', teamId, '--since', '2d'])).toHaveLength(1);
    expect(await json(['order', 'list', '--team', teamId, '--since', '2020-01-01'])).toHaveLength(2);
    expect(await json(['order', 'list', '--team', teamId, '--since', '999999d'])).toHaveLength(2);
    expect(await json(['order', 'list', '--team', teamId, '--since', '0000-01-01'])).toHaveLength(2);

    const ndjson = (
      await runOrderbeacon(['order', 'export', '--team', teamId, '--format', 'ndjson'], server.env)
    ).stdout;
    expect(
      ndjson
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).orderId),
    ).toEqual(['=1+1', 'first']);
    const csv = (
      await runOrderbeacon(['order', 'export', '--team', teamId, '--format', 'csv'], server.env)
    ).stdout.split('\n');
    expect(csv[0]).toMatch(/^id,orderNumber,orderId,/);
    expect(csv[1]).toContain(`,'=1+1,`);
    expect(csv[1]).toContain('"Bea, ""B"""');
    expect(csv[0]).toMatch(/firstTouch.at,firstTouch.path,.*,lastTouch.clickId,extra,refundedAmount$/);
    expect(csv[1]).toMatch(/2026-05-01T08:00:00.000Z,\/,,'=x,,,,,,,,,,,,,,,"{""tax"":0.02}",0$/);
  });
});

it('order list says so when there are more orders than it lists', async () => {
  const { teamId } = await server.addTeam('shop.example');
  for (const orderId of ['1', '2', '3'])
    await server.report({ teamId, email: 'a@buyer.example', amount: 1, orderId });
  const list = (limit: string) =>
    runOrderbeacon(['order', 'list', '--team', teamId, '--limit', limit, '--json'], server.env);
  const some = await list('2');
  expect(JSON.parse(some.stdout)).toMatchObject([{ orderId: '3' }, { orderId: '2' }]);
  expect(some.stderr).toBe(
    'These are the newest 2 orders. --limit lists more, and order export writes all.\n',
  );
  const all = await list('3');
  expect([JSON.parse(all.stdout).length, all.stderr]).toEqual([3, '']);
});

it('a list replaces control characters of stored texts; --json has the exact text', async () => {
  const { teamId } = await server.addTeam('shop.example');
  const orderId = 'a\u001b]0;owned\u0007\u009b31m\r\n\u202eb';
  await server.report({ teamId, email: 'a@buyer.example', amount: 1, orderId });
  const { stdout } = await runOrderbeacon(['order', 'list', '--team', teamId], server.env);
  expect(stdout).toContain('a\ufffd]0;owned\ufffd\ufffd31m\ufffd\ufffd\ufffdb');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(await json(['order', 'list', '--team', teamId])).toMatchObject([{ orderId }]);
});

it('an import from a stdin that never ends is refused once it is too long', async () => {
  const { teamId } = await server.addTeam();
  // Long texts that take no memory: `repeat` makes a tree of parts.
  const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(() => 'x'.repeat(2 ** 28));
  onTestFinished(() => decode.mockRestore());
  expect(await refused(['product', 'import', '--team', teamId, '-'], 'x')).toBe(
    'orderbeacon: stdin is longer than 500 MB: split it.\n',
  );
});

it('an import ends at its first bad row while stdin is still open', async () => {
  const { teamId } = await server.addTeam();
  const args = ['person', 'import', '--team', teamId, '-'];
  // The parser holds back the last bytes until it knows what follows, so good rows push the bad one through.
  const csv = `email\nbad\n${'ann@buyer.example\n'.repeat(30)}`;
  const { code, stderr } = await runProcess(args, server.env, csv, { keepsInputOpen: true });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/line 2/)]);
});

describe('a storefront URL', () => {
  it.each([
    ['https://Shop.example/', 'https://shop.example'],
    ['https://shop.example/de//', 'https://shop.example/de'],
    ['http://shop.example:8080/?', 'http://shop.example:8080'],
    ['https://shop.example/#', 'https://shop.example'],
  ])('given as %s has links go on behind %s', async (given, storefrontUrl) => {
    const team = await json(['team', 'create', '--name', 'Shop', '--storefront-url', given]);
    expect(team).toMatchObject({ storefrontUrl });
  });

  it.each([
    [{ HOST: '::1', PORT: '9000' }, 'http://[::1]:9000'],
    [{ HOST: '0.0.0.0', PORT: '9000' }, 'http://localhost:9000'],
    [{ PUBLIC_URL: 'https://orders.shop.example/' }, 'https://orders.shop.example'],
  ])('that was not given is this server’s: %j', async (env, storefrontUrl) => {
    const made = await runOrderbeacon(['team', 'create', '--name', 'Shop', '--json'], {
      ...server.env,
      ...env,
    });
    expect(JSON.parse(made.stdout)).toMatchObject({ storefrontUrl });
  });
});

describe('a wrong argument gets one line and exit 2', () => {
  it.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['team', 'create'], /--name/],
    [['team', 'create', '--name', ' '], /--name/],
    [['team', 'create', '--name', 'X', '--storefront-url', 'shop'], /--storefront-url/],
    [['team', 'create', '--name', 'X', '--storefront-url', ''], /--storefront-url/],
    [['team', 'create', '--name', 'X', '--storefront-url', 'ftp://shop.example'], /--storefront-url/],
    [['team', 'create', '--name', 'X', '--storefront-url', 'https://shop.example/?a=b'], /--storefront-url/],
    [
      ['team', 'create', '--name', 'X', '--storefront-url', 'https://ann:pw@shop.example'],
      /--storefront-url/,
    ],
    [['team', 'create', '--name', 'X', '--color', 'red'], /--color/],
    [['team', 'create', '--name', 'X', 'Y'], /too many arguments/],
    [['key', 'list', '--team', 'team_x'], /No team has the id "team_x"/],
    [['order', 'list', '--team'], /--team/],
  ])('%j', async (args, expected) => {
    expect(await refused(args)).toMatch(expected);
  });

  it('for values that are checked after the team', async () => {
    const { teamId } = await server.addTeam();
    const team = ['--team', teamId];
    expect(await refused(['domain', 'add', ...team, 'https://shop.example/thanks'])).toContain(
      'shop.example',
    );
    expect(await refused(['domain', 'add', ...team, '*.*.example'])).toContain('star');
    expect(await refused(['domain', 'add', ...team, '::1'])).toContain('[::1]');
    expect(await refused(['domain', 'add', ...team, '*.co.uk'])).toContain('like shop.co.uk');
    expect(await refused(['team', 'update', ...team])).toContain('--storefront-url');
    expect(await refused(['team', 'update', ...team, '--storefront-url', ''])).toContain('--storefront-url');
    expect(await refused(['domain', 'remove', ...team, 'never.example'])).toContain('never.example');
    expect(await refused(['key', 'revoke', ...team, 'key_x'])).toContain('key_x');
    expect(await refused(['signing-key', 'revoke', ...team, 'sig_x'])).toContain('sig_x');
    expect(await refused(['person', 'add', ...team, '--email', 'x'])).toContain('--email');
    expect(await refused(['person', 'erase', ...team, '--email', 'no@body.example'])).toContain(
      'no@body.example',
    );
    expect(await refused(['order', 'list', ...team, '--since', 'yesterday'])).toContain('--since');
    expect(await refused(['order', 'list', ...team, '--limit', '0'])).toContain('--limit');
    expect(await refused(['order', 'list', ...team, '--limit', '100001'])).toContain('order export');
    expect(await refused(['order', 'export', ...team, '--format', 'xml'])).toContain('csv, ndjson');
    expect(await refused(['product', 'import', ...team, 'no-such-file.json'])).toContain('no-such-file.json');
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['LOG_LEVEL', 'loud'],
    ['PUBLIC_URL', 'shop'],
    ['DATABASE_URL', 'mysql://x'],
    ['ORDERBEACON_RATE_LIMIT', '-1'],
    ['ORDERBEACON_TRUST_PROXY', 'yes'],
    ['ORDERBEACON_METRICS_TOKEN', 'too short'],
    ['ORDERBEACON_DEMO', 'yes'],
  ])('when %s is %s, before the server listens', async (name, value) => {
    const { code, stdout, stderr } = await runOrderbeacon(['serve'], { ...server.env, [name]: value });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(name)]);
  });
});

it('the help of every subcommand has a sentence and an example, asked for in either way', async () => {
  const help = async (...args: string[]) => (await runOrderbeacon([...args, '--help'], {})).stdout;
  const names = (text: string) =>
    [...text.split('Commands:')[1]!.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]!);
  for (const group of names(await help())) {
    if (group === 'help') continue;
    const text = await help(group);
    const leaves = text.includes('Commands:') ? names(text).filter((name) => name !== 'help') : [];
    const helps = leaves.length ? await Promise.all(leaves.map((leaf) => help(group, leaf))) : [text];
    const first = [group, ...leaves.slice(0, 1)];
    expect((await runOrderbeacon(['help', ...first], {})).stdout).toBe(helps[0]);
    for (const leaf of helps)
      expect(leaf).toMatch(/^Usage: orderbeacon [\s\S]+\n\n\S[\s\S]+\nExample:(\n {2}orderbeacon \S.*)+\n$/);
  }
});

it('the command works without a server, on an embedded database that migrate makes and leaves behind', async () => {
  const env = { ORDERBEACON_DATA_DIR: temporaryFolder() };
  expect((await runOrderbeacon(['migrate'], env)).code).toBe(0);
  const made = await runOrderbeacon(['team', 'create', '--name', 'Alone', '--json'], env);
  expect([made.code, JSON.parse(made.stdout).name]).toEqual([0, 'Alone']);
  const listed = await runOrderbeacon(['team', 'list', '--json'], env);
  expect(JSON.parse(listed.stdout)).toEqual([JSON.parse(made.stdout)]);
});

it('a database whose limit ends a statement gives one line that says how a command gets more time', async () => {
  const { sql, url, close } = await createTestDatabase();
  onTestFinished(() => close());
  await sql`do $$ begin
    execute format('alter database %I set statement_timeout = 1000', current_database()); end $$`;
  const list = (limit: string) => {
    const limited = new URL(url);
    limited.searchParams.set('statement_timeout', limit);
    return runOrderbeacon(['team', 'list'], { DATABASE_URL: limit ? limited.href : url });
  };
  const { patient } = await sql.begin(async (tx) => {
    await tx`lock table team in access exclusive mode`;
    const { code, stdout, stderr } = await list('');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^orderbeacon: .*Add \?statement_timeout=0 to DATABASE_URL .*\n$/);
    return { patient: list('0') };
  });
  expect((await patient).code).toBe(0);
});

it('an unreachable database gives one line and exit 1', async () => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const { code, stdout, stderr } = await runOrderbeacon(['team', 'list'], env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
