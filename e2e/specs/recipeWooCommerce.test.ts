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

/** The output of each hook of a PHP file. */
const [head, body] = [...recipeExample('woocommerce', 'hook').matchAll(/\?>([\s\S]*?)<\?php(?! echo)/g)].map(
  ([, html]) => html!.replaceAll('team_…', teamId).replaceAll('https://orders.shop.example', orderbeacon.url),
);

/** Opens the thank-you page of an order or, without a report, a page of the shop. Resolves with the browser's cookies. */
async function visit(path: string, report?: object) {
  const printed = report ? body!.replace(/<\?php echo .*? \?>/, () => JSON.stringify(report)) : '';
  pages.serve('/woocommerce', 'anywhere.html', { head: head!, body: printed });
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${pages.port}/woocommerce${path}`);
  await expect.poll(() => tab.run('return typeof track === "function" && !!track.visitorId()')).toBe(true);
  const waiting = `return Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:')).length`;
  await expect.poll(() => tab.run(waiting)).toBe(0);
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
function eventOf(number: string, more: object = {}) {
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

it('page and webhook, whichever is first, are one order: the page’s visitor, the webhook’s amount', async () => {
  const report = { email: 'ann@shop.example', amount: '1.00', currency: 'EUR' };
  const cookies = await visit('', { ...report, orderId: 'W-1' });
  expect(await eventOf('W-1')).toBe(200);
  expect(await eventOf('W-2')).toBe(200);
  await visit('', { ...report, orderId: 'W-2' });
  for (const orderId of ['W-1', 'W-2'])
    expect(await stored(orderId)).toMatchObject([
      { amount: 49.9, name: 'Ann Example', reportedBy: 'both', visitorId: cookies.get('ob_visitor') },
    ]);
});

it('an order whose buyer never came back has the visitor and the landing that the shop kept', async () => {
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
