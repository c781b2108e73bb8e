// @module-tag all
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createFetchText } from '../../../src/commands/fetchText.js';
import { tagHtml } from '../../../src/core/script/tag.js';
import { createCheckAddress } from '../../../src/features/pageCheck/console/checkAddress.js';
import { commandFixes } from '../../../src/features/pageCheck/pageFixes.js';
import { textOf } from '../../kit/html.js';
import { startHttp } from '../../kit/http.js';
import { test } from '../../kit/shop.js';
import { stopClock } from '../../kit/stopClock.js';

async function startSite(answer: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const { port, url } = await startHttp((incoming, response) => {
    asked.push(incoming.url!);
    answer(response);
  });
  return { asked, port, url };
}

const context = (publicUrl: string) => ({
  fixes: commandFixes,
  publicUrl,
  teamId: 'team_1',
  domainsOf: async () => [{ domain: '127.0.0.1', isTest: true }],
  lastOrderOf: async () => null,
});

it('a page of this very server is checked: its tag, its domain, its script and its policy', async () => {
  const site = await startSite((response) =>
    response.end(tagHtml({ publicUrl: site.url, teamId: 'team_1' }).replace('ann@', 'ann.lee@')),
  );
  const result = await createCheckAddress(() => site.url)(`${site.url}/thanks`, context(site.url));
  const checks = 'checks' in result ? result.checks : [];
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['page', true],
    ['tag', true],
    ['order', true],
    // This site has no SDK.
    ['script', false],
    ['host', true],
    ['policy', true],
  ]);
  expect(site.asked).toEqual(['/thanks', '/sdk/track.js']);
});

it('no private address is called', async () => {
  const site = await startSite((response) => response.end('secret'));
  const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
  const publicUrl = 'https://orders.shop.example';
  for (const url of [
    site.url,
    `http://localhost:${site.port}/`,
    `http://[::ffff:127.0.0.1]:${site.port}/`,
    `http://shop.example:${site.port}/`,
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://localhost./',
    'http://169.254.169.254/latest/meta-data',
    'http://shop.example/',
  ]) {
    const message = expect.stringMatching(/private address|ports 80 and 443/);
    const check = createCheckAddress(() => publicUrl, { resolve: loopback });
    expect([url, await check(url, context(publicUrl))]).toMatchObject([
      url,
      { checks: [{ check: 'page', ok: false, message }] },
    ]);
  }
  expect(site.asked).toEqual([]);
});

it('requests of a check share its time: one that comes after it is given up, and says so', async () => {
  const { url } = await startSite(() => {});
  const fetchText = createFetchText({ allWithinMs: 300 });
  expect(await fetchText(url)).toEqual({ code: 'no answer within 1 s' });
  expect(await fetchText(url)).toEqual({ code: 'no answer within 0 s' });
});

it('a page that never ends is given up, and a team has ten checks a minute', async () => {
  const { url } = await startSite((response) => {
    const more = () => response.write('<p>'.repeat(100_000)) && setImmediate(more);
    response.on('drain', more).on('error', () => {});
    more();
  });
  const check = createCheckAddress(() => url);
  stopClock();
  const results = [];
  for (let at = 0; at < 11; at++) results.push(await check(url, context(url)));
  expect(results.filter((result) => 'checks' in result)).toHaveLength(10);
  expect(results[10]).toEqual({ hint: expect.stringContaining('10 checks a minute') });
  expect(await check(url, { ...context(url), teamId: 'team_2' })).toHaveProperty('checks');
});

test('a merchant checks a page from Setup, and is led to the fix', async ({ server, shop }) => {
  const { get, submit } = await shop.console();
  expect((await get('/console/setup/install')).text).toContain('/setup/install/check#check"');
  const check = (address: string) => submit('/console/setup/install/check', { address });
  const without = await check(`${server.url}/docs`);
  expect([without.status, without.text]).toEqual([
    200,
    expect.stringContaining('The HTML of the page has no tag of Orderbeacon.'),
  ]);
  expect(without.text).toContain('/setup/install#tag"');
  expect(without.text).not.toContain('node_modules');
  const withPort = await check('https://shop.example:8443/thanks');
  expect(withPort.text).toContain('cannot be reached: only the ports 80 and 443 are tried.');
  expect(withPort.text).toContain('Give an address without a port of its own.');
  expect(textOf(withPort.text)).toContain(
    "by this line: node_modules/.bin/orderbeacon doctor 'https://shop.example:8443/thanks'",
  );
  const nameless = textOf((await check('no-such-host.invalid')).text);
  expect(nameless).toContain('cannot be reached: no host has this name. Fix: Copy the address');
  expect(nameless).not.toContain('port of its own');
  for (const address of [
    '',
    '"><script>',
    'ftp://shop.example',
    'https://a:b@shop.example',
    'x'.repeat(3000),
  ]) {
    const { status, text } = await check(address);
    expect([address.slice(0, 30), status]).toEqual([address.slice(0, 30), 400]);
    expect(text).toContain('Not checked: write the address of a page');
  }
});

it('a server that only its own machine reaches reads the pages of that machine, at any port, and no other private ones', async () => {
  const site = await startSite((response) => response.end('<p>Thanks</p>'));
  const publicUrl = 'http://localhost:8787';
  const check = createCheckAddress(() => publicUrl, { isOwnMachine: true });
  for (const address of [site.url, `localhost:${site.port}/thanks`, `http://127.0.0.1:${site.port}/`])
    expect([address, await check(address, context(publicUrl))]).toMatchObject([
      address,
      { checks: [{ check: 'page', ok: true }, { check: 'tag', ok: false }, {}] },
    ]);
  for (const address of ['http://192.168.0.1/', 'http://10.0.0.1:8080/', 'http://169.254.169.254/'])
    expect([address, await check(address, context(publicUrl))]).toMatchObject([
      address,
      { checks: [{ check: 'page', ok: false, message: expect.stringMatching(/private address|ports 80/) }] },
    ]);
});
