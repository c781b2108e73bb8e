// @module-tag all
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpPeople } from '../harness/console.ts';
import { setUpChromium } from '../harness/engines.ts';
import { setUpShop } from '../harness/shop.ts';

const hasPhp = spawnSync('php', ['--version']).error === undefined;
/** Stand-in for WordPress and WooCommerce, as the plugin sees them. */
const standIn = fileURLToPath(new URL('../../server/test/features/wooPlugin/wordPress.php', import.meta.url));
/** A buyer's name that runs code in a page which does not escape it. */
const hostileName = `</script><script>window.isHacked = true</script><!--<script> & "Ann"`;

const order = (number: string) => ({
  id: 723,
  number,
  status: 'processing',
  order_key: 'wc_order_k9HZk7Xc2',
  date_paid: new Date().toISOString(),
  total: '49.90',
  currency: 'EUR',
  billing_email: 'ann@shop.example',
  billing_first_name: hostileName,
  billing_last_name: '',
  items: [{ product_id: 7, variation_id: 0, name: hostileName, quantity: 2, total: 41.93, total_tax: 7.97 }],
});
const freshShop = {
  cookies: {},
  query: {},
  code: '',
  options: {},
  orders: {},
  webhooks: {},
  user: 1,
  rights: { 1: ['manage_woocommerce'] },
  screen: 'plugins',
  hasNonce: true,
  hasWooCommerce: true,
};

describe.skipIf(!hasPhp)(
  'the plugin (skipped where there is no PHP; Debian: apt-get install php-cli)',
  async () => {
    const { orderbeacon, pages, teamId } = await setUpShop();
    const people = setUpPeople();
    const browser = setUpChromium();
    const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-plugin-'));
    const plugin = join(folder, 'orderbeacon.php');
    afterAll(() => rmSync(folder, { recursive: true }));

    /** Lets PHP run steps with the downloaded plugin. */
    function run(site: object, ...steps: unknown[][]) {
      const input = JSON.stringify({ ...freshShop, ...site, plugin, steps });
      const { stdout, stderr } = spawnSync('php', [standIn], { input, encoding: 'utf8' });
      expect(stderr).toBe('');
      return JSON.parse(stdout) as typeof freshShop & { printed: string[] };
    }

    // A merchant downloads it by clicking the button.
    beforeAll(async () => {
      const path = '/setup/install?platform=woocommerce';
      const merchant = await people.newMerchant(orderbeacon, teamId, path);
      const loading = merchant.waitForEvent('download');
      await merchant.getByRole('button', { name: 'Download the plugin' }).click();
      const download = await loading;
      expect(download.suggestedFilename()).toBe('orderbeacon.zip');
      const zip = join(folder, 'orderbeacon.zip');
      await download.saveAs(zip);
      const files = unzipSync(readFileSync(zip));
      writeFileSync(plugin, strFromU8(files['orderbeacon/orderbeacon.php']!));
    });

    /** Opens the page that the plugin prints, and waits until all of its reports were answered. */
    async function visit(site: object, ...body: unknown[][]) {
      const [head, ...printed] = run(site, ['wp_head'], ...body).printed;
      pages.serve('/plugin', 'anywhere.html', { head: head!, body: printed.join('') });
      const tab = await browser.newTab();
      await tab.goto(`http://shop.localhost:${pages.port}/plugin`);
      await expect.poll(() => tab.run('return typeof track === "function" && !track.q')).toBe(true);
      const waiting = `return Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:')).length`;
      await expect.poll(() => tab.run(waiting)).toBe(0);
      expect(await tab.run('return window.isHacked')).toBe(undefined);
      return tab;
    }

    const stored = async (orderId: string) =>
      (await orderbeacon.orders(teamId)).filter((each) => each.orderId === orderId);

    // This test is the first, because the tabs share their cookies.
    it('keeps no visitor before a yes, which may come before the script', async () => {
      const code = `define( 'ORDERBEACON_ASK_FIRST', true );`;
      const tab = await visit({ code });
      expect(await tab.run('return [track.visitorId() ?? null, document.cookie]')).toEqual([null, '']);
      pages.serve('/plugin', 'anywhere.html', {
        head: `${run({ code }, ['wp_head']).printed[0]}<script>track('consent', true)</script>`,
      });
      await tab.goto(`http://shop.localhost:${pages.port}/plugin`);
      await expect.poll(() => tab.run('return track.visitorId() ?? null')).toMatch(/^\w{9}/);
    });

    it('reports the order of its page once, and the webhook that it made is of the same order', async () => {
      const tab = await visit({ orders: { 723: order('W-1') } }, ['woocommerce_thankyou', 723]);
      await expect
        .poll(() => stored('W-1'))
        .toMatchObject([{ amount: 49.9, currency: 'EUR', name: hostileName, reportedBy: 'browser' }]);
      const visitorId = await tab.run<string>('return track.visitorId()');
      const cookies = Object.fromEntries(
        (await tab.run<string>('return document.cookie'))
          .split('; ')
          .map((cookie) => cookie.split(/=(.*)/s) as [string, string]),
      );

      // Another order, whose buyer closes the page. The checkout stores the visitor, and the webhook sends it.
      const site = run(
        { cookies, orders: { 723: order('W-2') } },
        ['admin_init'],
        ['woocommerce_checkout_create_order', { order: 723 }],
      );
      const { meta } = (site.orders as Record<number, { meta: Record<string, string> }>)[723]!;
      const [webhook] = Object.values(site.webhooks) as { delivery_url: string; topic: string }[];
      for (const number of ['W-1', 'W-2']) {
        const body = JSON.stringify({
          id: number === 'W-1' ? 723 : 724,
          number,
          order_key: `wc_order_${number}`,
          status: 'processing',
          total: '49.90',
          currency: 'EUR',
          billing: { first_name: 'Ann', last_name: 'Example', email: 'ann@shop.example' },
          date_paid_gmt: new Date().toISOString().slice(0, 19),
          meta_data: Object.entries(meta).map(([key, value], id) => ({ id, key, value })),
        });
        const [signature] = run(site, ['sign', 1, body]).printed;
        const headers = {
          'Content-Type': 'application/json',
          'X-WC-Webhook-Topic': webhook!.topic,
          'X-WC-Webhook-Signature': signature!,
        };
        const { status } = await fetch(webhook!.delivery_url, { method: 'POST', headers, body });
        expect(status).toBe(200);
      }
      expect(await stored('W-1')).toMatchObject([{ reportedBy: 'both', visitorId, name: 'Ann Example' }]);
      expect(await stored('W-2')).toMatchObject([{ reportedBy: 'key', visitorId }]);
    });
  },
);
