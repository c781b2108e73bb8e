// @module-tag all
import { beforeAll, expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';
import { addSource, type SourceOfShop, signInBase64 } from '../harness/source.ts';

const secret = 'a secret of the merchant';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();
let source: SourceOfShop;
beforeAll(async () => {
  source = await addSource(orderbeacon, teamId, 'woocommerce', secret);
});

/** The output of the hook that prints on every page. */
const head = /\?>([\s\S]*?)<\?php/
  .exec(recipeExample('woocommerce', 'hook'))![1]!
  .replaceAll('team_…', teamId)
  .replaceAll('https://orders.shop.example', orderbeacon.url);

/** Opens a page of the shop. Resolves with the browser's cookies. */
async function visit(path: string) {
  pages.serve('/woocommerce', 'anywhere.html', { head });
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${pages.port}/woocommerce${path}`);
  await expect.poll(() => tab.run('return typeof track === "function" && !!track.visitorId()')).toBe(true);
  const cookies = await tab.run<string>('return document.cookie');
  await tab.close();
  return new Map(cookies.split('; ').map((cookie) => cookie.split(/=(.*)/s) as [string, string]));
}

/** Makes the notes that the recipe's function adds to an order, by their names in its code. */
function notesOf(cookies: Map<string, string>) {
  const php = recipeExample('woocommerce', 'visitor');
  const [, list] = /array\( (.*?) \) as \$name/.exec(php)!;
  const cookie = /\$_COOKIE\[ "(\w+)\$name" \]/.exec(php)![1]!;
  const note = /update_meta_data\( "(\w+)\$name"/.exec(php)![1]!;
  return list!
    .split(', ')
    .map((quoted) => quoted.slice(1, -1))
    .map((name, id) => ({ id, key: note + name, value: cookies.get(cookie + name) }));
}

/** Sends the webhook of a paid order. */
function eventOf(number: string, more: object) {
  const text = JSON.stringify({
    id: 723,
    number,
    status: 'processing',
    total: '49.90',
    currency: 'EUR',
    billing: { first_name: 'Ann', last_name: 'Example', email: 'ann@shop.example' },
    date_paid_gmt: new Date().toISOString().slice(0, 19),
    ...more,
  });
  return source.send(text, {
    'X-WC-Webhook-Topic': 'order.updated',
    'X-WC-Webhook-Signature': signInBase64(text, secret),
  });
}

const stored = async (orderId: string) =>
  (await orderbeacon.orders(teamId)).filter((order) => order.orderId === orderId);

it('an order whose buyer never came back has the visitor and the landing that the shop kept', async () => {
  await visit('');
  const cookies = await visit('?utm_source=letter');
  const notes = notesOf(cookies);
  expect(notes.map(({ value }) => value)).toEqual([
    expect.stringMatching(/\w{9}/),
    expect.stringMatching(/\w{9}/),
  ]);
  expect(await eventOf('W-3', { meta_data: notes })).toBe(200);
  expect(await stored('W-3')).toMatchObject([
    { reportedBy: 'key', visitorId: cookies.get('ob_visitor'), lastTouch: { source: 'letter' } },
  ]);
});
