// @module-tag all
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findBrowser } from '../browsers/find.ts';
import { chromiumArgs } from '../browsers/launch.ts';
import { removeProfile } from '../browsers/removeProfile.ts';
import { setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();

const campaign = '/landing?utm_source=never-opened';
const thanks = '/thanks?name=prerendered&orderId=prerendered';

/** Makes JavaScript that sends a text to the proxy. */
const say = (what: string) => `fetch('${shop.endpoint}/said/' + ${what}, { mode: 'no-cors' })`;
// By then the script has run.
const head = `<script>addEventListener('load', () => ${say('location.pathname.slice(1) + document.prerendering')})</script>`;
shop.page('/landing', 'confirmation.html', { head });
shop.page('/thanks', 'confirmation.html', { head });
// The rules prerender both pages. When the test allows it, the buyer opens one of them.
shop.page('/cart', 'anywhere.html', {
  head: `<script type="speculationrules">
      ${JSON.stringify({ prerender: [{ source: 'list', urls: [campaign, thanks], eagerness: 'immediate' }] })}
    </script>`,
  body: `<script>
    const look = async () => {
      if (!(await fetch('/bought')).ok) return setTimeout(look, 50);
      await ${say(`'keys' + Object.keys(localStorage).length`)};
      location.assign('${thanks}');
    };
    look();
  </script>`,
});

const wasCalled = (what: string) => () => shop.network.seen.some(({ url }) => url === `/said/${what}`);
const reports = () => shop.network.seen.filter(({ method }) => method === 'POST').length;

// Chromium prerenders nothing while a debugger such as Playwright's is attached.
it('a prerendered page reports and keeps nothing before a person opens it, and its order then', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'orderbeacon-prerender-'));
  const args = [...chromiumArgs, '--headless=new', '--no-sandbox', `--user-data-dir=${profile}`];
  const chromium = spawn(findBrowser('chromium')!, [...args, `${shop.origin}/cart`], {
    detached: true,
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    process.kill(-chromium.pid!, 'SIGKILL');
    await removeProfile(profile);
  });
  for (const page of ['landing', 'thanks']) await expect.poll(wasCalled(`${page}true`)).toBe(true);
  expect(reports()).toBe(0);
  shop.pages.serveText('/bought', 'text/plain', 'yes');
  await expect.poll(wasCalled('keys0')).toBe(true);
  const [order] = await shop.expectStoredOnce(['prerendered']);
  expect(reports()).toBe(1);
  expect(order).toMatchObject({
    visitorId: expect.stringMatching(/\w{9,}/),
    firstTouch: { path: '/thanks', source: null },
    lastTouch: null,
  });
});
