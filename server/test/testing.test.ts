import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOrderbeacon, type TestOrderbeacon } from '@orderbeacon/server/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runOrderbeacon } from './command.js';

const executable = fileURLToPath(new URL('../bin/orderbeacon.js', import.meta.url));

/** A folder for temporary files of one test. */
function makeTmp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ob-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Sends a report, and again while a busy server can neither store nor keep it in time, as pages do. */
async function report(server: TestOrderbeacon, order: object, origin = 'http://localhost:3000') {
  const body = { teamId: server.teamId, email: 'ann@shop.example', amount: 49.9, ...order };
  for (;;) {
    const answer = await fetch(`${server.url}/svc-api/v1/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', Origin: origin },
      body: JSON.stringify(body),
    });
    if (answer.status !== 503) return answer;
  }
}

/** A page as far as `expectOrder` looks at it. */
const page = (hasScript: unknown) => ({
  url: () => 'http://localhost:3000/thanks',
  evaluate: async () => hasScript,
});

describe('a server for tests', () => {
  let server: TestOrderbeacon;
  beforeAll(async () => {
    server = await startOrderbeacon();
  });
  afterAll(() => server.stop());

  it('stores the order of a page on localhost, and expectOrder waits for it', async () => {
    const expected = server.expectOrder(page(true), { orderId: '1001', timeoutMs: 60_000 });
    expect((await report(server, { orderId: '1001', currency: 'EUR' })).status).toBe(200);
    expect(await expected).toMatchObject({ orderId: '1001', amount: 49.9, currency: 'EUR', isTest: false });
    expect(await server.findOrder('1002')).toBeNull();
  });

  it('says why a report was refused instead', async () => {
    await report(server, { orderId: '1003', amount: 'a lot' });
    await expect(server.expectOrder(page(true), { orderId: '1003', timeoutMs: 300 })).rejects.toThrow(
      /^No order "1003" was stored within 0.3 s. Its report from localhost was refused: invalid_request \(amount /,
    );
    await report(server, { orderId: '1004' }, 'https://elsewhere.example');
    await expect(server.expectOrder(null, { orderId: '1004', timeoutMs: 300 })).rejects.toThrow(
      'Its report from elsewhere.example was refused: domain_not_allowed',
    );
  });

  it('blames no refusal of an earlier test, and names the order that came instead', async () => {
    await report(server, { orderId: '1005', amount: 'a lot' });
    const missing = (orderId: string, hasScript: boolean) =>
      server.expectOrder(page(hasScript), { orderId, timeoutMs: 100 });
    await expect(missing('1006', true)).rejects.toThrow(
      'A report of the order "1005" from localhost was refused',
    );
    await expect(missing('1006', false)).rejects.toThrow(
      `stored within 0.1 s. The page http://localhost:3000/thanks has no script of ${server.url}/sdk/track.js`,
    );
    await report(server, { orderId: '1007' });
    await expect(missing('1006', true)).rejects.toThrow(
      'does it call track(\'order\', …) with another orderId? Another order was stored meanwhile, "1007".',
    );
    await report(server, {});
    await expect(missing('1006', true)).rejects.toThrow('meanwhile, without an orderId.');
  });

  it('is alone with its data, and says what a page lacks that reports nothing', async () => {
    const other = await startOrderbeacon({ domains: ['shop.example'] });
    try {
      expect(other.url).not.toBe(server.url);
      expect(await other.findOrder('1001')).toBeNull();
      const missing = (hasScript: unknown) =>
        other.expectOrder(hasScript === null ? null : page(hasScript), { orderId: '1001', timeoutMs: 100 });
      await expect(missing(true)).rejects.toThrow(
        "no report of this order came. Its console says why, if the script has data-debug. Or does it call track('order', …)",
      );
      await expect(missing(false)).rejects.toThrow(
        `has no script of ${other.url}/sdk/track.js: put scriptHtml into its head. If it uses the npm package, give createTracker()`,
      );
      await expect(missing(null)).rejects.toThrow('The server refused no report.');
      const hanging = { ...page(true), evaluate: () => new Promise<never>(() => {}) };
      await expect(other.expectOrder(hanging, { orderId: '1001', timeoutMs: 100 })).rejects.toThrow(
        'The page http://localhost:3000/thanks could not be looked at',
      );
    } finally {
      await other.stop();
    }
    await expect(fetch(`${other.url}/healthz`)).rejects.toThrow();
  });

  it('refuses a domain that can be none, and leaves nothing behind', async () => {
    const folder = makeTmp();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(startOrderbeacon({ domains: ['no domain'] })).rejects.toThrow('Domain "no domain":');
    await expect(startOrderbeacon({ host: 'nowhere.invalid' })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
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
    expect((await report(facts, { orderId: '1' })).status).toBe(200);
    const read = await fetch(`${facts.url}/svc-api/v1/orders/1`, {
      headers: { Authorization: `Bearer ${facts.apiKey}` },
    });
    expect(await read.json()).toMatchObject({ data: { orderId: '1', amount: 49.9 } });
    expect(facts.scriptHtml).toContain(`${facts.url}/sdk/track.js`);
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
