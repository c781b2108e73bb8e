// @module-tag all
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrderbeacon, type TestedPage, type TestOrderbeacon } from '@orderbeacon/server/testing';
import startSharedServer from '@orderbeacon/server/testing/globalSetup';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { testParts } from '../../../src/app/testing.js';
import { createExpectOrder, createFindOrder } from '../../../src/features/testing/expectOrder.js';
import { runOrderbeacon } from '../../kit/command.js';
import { executable } from '../../kit/process.js';
import { test as base } from '../../kit/shop.js';

/** Makes a folder for temporary files of one test. */
function makeTmp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ob-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Makes a page with the parts that `expectOrder` uses. */
const page = (hasScript: unknown) => ({
  url: () => 'http://localhost:3000/thanks',
  evaluate: async () => hasScript,
});

const test = base.extend('kit', async ({ shop: { server, sql, team, liveKey } }) => {
  const findOrder = createFindOrder(server.url, await liveKey());
  const expectOrder = createExpectOrder(sql, {
    url: server.url,
    uuid: team,
    findOrder,
    listRefused: testParts.listRefused!,
  });
  /** Reads the reason that is given for an order that never comes. */
  const reasonOf = (from: TestedPage | null, orderId = 'none') =>
    expectOrder(from, { orderId, timeoutMs: 100 }).then(String, ({ message }) => message as string);
  return { findOrder, expectOrder, reasonOf };
});

describe('expectOrder', () => {
  test('waits for the order of a page', async ({ shop, kit }) => {
    const expected = kit.expectOrder(page(true), { orderId: '1001', timeoutMs: 60_000 });
    expect((await shop.report({ orderId: '1001', currency: 'EUR' })).status).toBe(200);
    expect(await expected).toMatchObject({ orderId: '1001', amount: 49.9, currency: 'EUR', isTest: false });
    expect(await kit.findOrder('1002')).toBeNull();
  });

  test('says what a page lacks that reports nothing', async ({ server, kit: { reasonOf } }) => {
    expect(await reasonOf(page(true))).toMatch(
      /^No order "none" was stored within 0\.1 s\. The page http:\/\/localhost:3000\/thanks has the script, but no report of this order came\. .*track\('order', …\)/,
    );
    expect(await reasonOf(page(false))).toContain(
      `has no script of ${server.url}/sdk/track.js: put scriptHtml into its head. If it uses the npm package, give createTracker()`,
    );
    expect(await reasonOf(null)).toContain('The server refused no report.');
    const hanging = { ...page(true), evaluate: () => new Promise<never>(() => {}) };
    expect(await reasonOf(hanging)).toContain('The page http://localhost:3000/thanks could not be looked at');
  });

  test('says why a report was refused, blames no refusal of an earlier test, and names the order that came instead', async ({
    shop,
    kit: { reasonOf },
  }) => {
    await shop.report({ orderId: '1003', amount: 'a lot' });
    expect(await reasonOf(page(true), '1003')).toContain(
      `Its report from ${shop.domain} was refused: invalid_request (amount `,
    );
    await shop.report({ orderId: '1004' }, { origin: 'https://elsewhere.example' });
    expect(await reasonOf(null, '1004')).toContain(
      'Its report from elsewhere.example was refused: domain_not_allowed',
    );
    await shop.report({ orderId: '1005', amount: 'a lot' });
    expect(await reasonOf(page(true))).toContain(
      `A report of the order "1005" from ${shop.domain} was refused`,
    );
    expect(await reasonOf(page(false))).toContain('has no script of');
    await shop.report({ orderId: '1007' });
    expect(await reasonOf(page(true))).toContain('Another order was stored meanwhile, "1007".');
    await shop.report({ orderId: null });
    expect(await reasonOf(page(true))).toContain('meanwhile, without an orderId.');
  });
});

describe('startOrderbeacon', () => {
  it('refuses a domain that can be none, and leaves nothing behind', async () => {
    const folder = makeTmp();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startOrderbeacon({ domains: ['no domain'] })).rejects.toThrow('Domain "no domain":');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the global setup', () => {
  it('starts one server, on which every startOrderbeacon() is a team of its own, and stops it at the end', async () => {
    const folder = makeTmp();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const stopAll = await startSharedServer();
    const [one, other] = [await startOrderbeacon(), await startOrderbeacon({ domains: ['shop.example'] })];
    expect(other.url).toBe(one.url);
    const origin = 'https://shop.example';
    expect((await report(one, origin)).status).toBe(403);
    expect((await report(other, origin)).status).toBe(200);
    await one.stop();
    expect(await other.expectOrder(null, { orderId: origin })).toMatchObject({ amount: 49.9 });
    const alone = await startOrderbeacon({ port: 0 });
    expect(alone.url).not.toBe(one.url);
    for (const { stop } of [alone, other]) await stop();
    await stopAll();
    await expect(fetch(`${one.url}/healthz`)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Reports an order whose id is the page's origin. */
const report = ({ url, teamId }: { url: string; teamId: string }, origin: string) =>
  fetch(`${url}/svc-api/v1/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', Origin: origin },
    body: JSON.stringify({ teamId, email: 'ann@shop.example', amount: 49.9, orderId: origin }),
  });

describe('orderbeacon testing', () => {
  it('names a host that can be no domain, and ends with 2', async () => {
    const { code, stderr } = await runOrderbeacon(['testing', '--domain', 'localhost', '%%'], { PORT: '0' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^orderbeacon: "%%" is not a domain: .*\n$/);
  });

  it('names a temporary folder that it cannot use, and blames no database', async () => {
    vi.stubEnv('TMPDIR', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await runOrderbeacon(['testing'], {});
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^orderbeacon: ENOENT: .* '\/nowhere\/orderbeacon-test-/),
    ]);
  });

  it('takes a free port beside a server with the usual one, unless PORT names one', async () => {
    const busy = createServer().listen(8787, '127.0.0.1');
    await Promise.race([once(busy, 'listening'), once(busy, 'error')]);
    onTestFinished(() => void busy.close());
    const child = spawn(process.execPath, [executable, 'testing', '--json'], {
      env: { PATH: process.env.PATH, TMPDIR: makeTmp() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
    child.kill('SIGTERM');
    await ended;
    expect(JSON.parse(String(line)).url).not.toContain(':8787');
  });

  it('prints where its server is, and removes all data on SIGTERM', async () => {
    const folder = makeTmp();
    const child = spawn(process.execPath, [executable, 'testing', '--json'], {
      env: { PATH: process.env.PATH, PORT: '0', TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const facts = await new Promise<TestOrderbeacon>((resolve, reject) => {
      child.stdout.once('data', (line) => resolve(JSON.parse(line)));
      ended.then((code) => reject(new Error(`It ended with ${code} before it was ready.`)));
    });
    expect((await report(facts, 'http://localhost')).status).toBe(200);
    const order = await createFindOrder(facts.url, facts.apiKey)('http://localhost');
    expect(order).toMatchObject({ orderId: 'http://localhost', amount: 49.9 });
    expect(facts.scriptHtml).toContain(`${facts.url}/sdk/track.js`);
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
