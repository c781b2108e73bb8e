import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createCheckAddress } from '../src/console/checkAddress.js';
import { createFetchText } from '../src/site/checks/fetchText.js';
import type { PageFixes } from '../src/site/checks/pageFixes.js';
import { commandFixes } from '../src/site/checks/pageFixes.js';
import { tagHtml } from '../src/site/tag.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';
import { stopClock } from './stopClock.js';

const fixes: PageFixes = commandFixes;

async function startSite(answer: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const site = createServer((incoming, response) => {
    asked.push(incoming.url!);
    answer(response);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    site.closeAllConnections();
    site.close();
  });
  return { asked, port: (site.address() as AddressInfo).port };
}

const context = (publicUrl: string) => ({
  fixes,
  publicUrl,
  teamId: 'team_1',
  domainsOf: async () => [{ domain: '127.0.0.1', isTest: true }],
  lastOrderOf: async () => null,
});

it('a page of this very server is checked: its tag, its domain, its script and its policy', async () => {
  const site = await startSite((response) => response.end(tagHtml({ publicUrl, teamId: 'team_1' })));
  const publicUrl = `http://127.0.0.1:${site.port}`;
  const result = await createCheckAddress(() => publicUrl)(`${publicUrl}/thanks`, context(publicUrl));
  const checks = 'checks' in result ? result.checks : [];
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['page', true],
    ['tag', true],
    // This site has no SDK.
    ['script', false],
    ['host', true],
    ['policy', true],
  ]);
  expect(site.asked).toEqual(['/thanks', '/sdk/track.js']);
});

it.each([
  (port: number) => `http://127.0.0.1:${port}/`,
  (port: number) => `http://localhost:${port}/`,
  (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
  (port: number) => `http://shop.example:${port}/`,
  () => 'http://127.0.0.1/',
  () => 'http://2130706433/',
  () => 'http://0x7f.1/',
  () => 'http://[::1]/',
  () => 'http://localhost./',
  () => 'http://169.254.169.254/latest/meta-data',
  () => 'http://shop.example/',
])('no private address is called, case %#', async (urlOf) => {
  const site = await startSite((response) => response.end('secret'));
  const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
  const check = createCheckAddress(() => 'https://orders.shop.example', loopback);
  const result = await check(urlOf(site.port), context('https://orders.shop.example'));
  expect(result).toMatchObject({
    checks: [
      { check: 'page', ok: false, message: expect.stringMatching(/private address|ports 80 and 443/) },
    ],
  });
  expect(site.asked).toEqual([]);
});

it('requests of a check share its time: one that comes after it is given up, and says so', async () => {
  const site = await startSite(() => {});
  const fetchText = createFetchText({ allWithinMs: 300 });
  const url = `http://127.0.0.1:${site.port}`;
  expect(await fetchText(url)).toEqual({ code: 'no answer within 1 s' });
  expect(await fetchText(url)).toEqual({ code: 'no answer within 0 s' });
});

it('a page that never ends is given up, and a team has ten checks a minute', async () => {
  const big = await startSite((response) => {
    const more = () => response.write('<p>'.repeat(100_000)) && setImmediate(more);
    response.on('drain', more).on('error', () => {});
    more();
  });
  const publicUrl = `http://127.0.0.1:${big.port}`;
  const check = createCheckAddress(() => publicUrl);
  stopClock();
  const results = [];
  for (let at = 0; at < 11; at++) results.push(await check(publicUrl, context(publicUrl)));
  expect(results.filter((result) => 'checks' in result)).toHaveLength(10);
  expect(results[10]).toEqual({ hint: expect.stringContaining('10 checks a minute') });
  const other = { ...context(publicUrl), teamId: 'team_2' };
  expect(await check(publicUrl, other)).toHaveProperty('checks');
});

it('a merchant checks a page from Setup, is led to the fix, and sees hostile text as text', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam();
  const { get, post, formToken } = await signIn(server, teamId);
  expect((await get('/console/setup')).text).toContain('action="/console/check"');
  const check = async (address: string) => post('/console/check', { address, formToken: await formToken() });
  const without = await check(`${server.url}/docs`);
  expect(without.status).toBe(200);
  expect(without.text).toContain('The HTML of the page has no tag of Orderbeacon.');
  expect(without.text).toContain('href="/console/setup#tag"');
  expect(without.text).not.toContain('node_modules');
  const withPort = await check('https://shop.example:8443/thanks');
  expect(withPort.text).toContain('cannot be reached: only the ports 80 and 443 are tried.');
  expect(withPort.text).toContain('without a password, and without a port in its address');
  for (const address of [
    '',
    '"><script>',
    'ftp://shop.example',
    'https://a:b@shop.example',
    'x'.repeat(3000),
  ]) {
    const answer = await check(address);
    expect([address.slice(0, 30), answer.status]).toEqual([address.slice(0, 30), 400]);
    expect(answer.text).toContain('Not checked: write the address of a page');
    expect(answer.text).not.toContain('"><script>');
  }
  expect((await post('/console/check', { address: server.url })).status).toBe(403);
});
