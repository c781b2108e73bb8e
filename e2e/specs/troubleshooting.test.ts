// @module-tag all
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { setUpShop } from '../harness/shop.ts';
import { stub as stubText } from '../harness/stub.ts';

const table = readFileSync(new URL('../../sdk/guides/debugging.md', import.meta.url), 'utf8');
/** The quoted console lines of the table. */
const quotes = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, quote]) => quote!);

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();

const stub = `<script>${stubText}</script>`;
const order = { email: 'ann@buyer.example', amount: 49.9, orderId: '1001' };

/** A page with one mistake. */
interface Mistake {
  attributes?: string;
  stub?: string;
  order?: object;
  host?: string;
  policy?: string;
}

/** The mistakes of the table, by the line that it quotes. The first one stores the order of the later conflict. */
const mistakes: Record<string, () => Mistake> = {
  'is stored as ORD-': () => ({}),
  'track is not defined': () => ({ stub: '' }),
  'track() has no': () => ({ stub: `${stub}<script>track('purchase')</script>` }),
  'no data-team-id': () => ({ attributes: '' }),
  'no data-endpoint': () => ({
    attributes: `data-team-id="${teamId}" data-endpoint="orders.shop.example:443"`,
  }),
  'track is taken': () => ({ stub: '<script>function track() {}</script>' }),
  'a const track of its own': () => ({ stub: `${stub}<script>const track = () => {}</script>` }),
  'no orderId': () => ({ order: { ...order, orderId: '' } }),
  'currency is missing': () => ({ order: { ...order, orderId: '1002' } }),
  invalid_request: () => ({ order: { ...order, amount: '49,90' } }),
  domain_not_allowed: () => ({ host: 'other.localhost' }),
  order_conflict: () => ({ order: { ...order, email: 'bob@shop.example' } }),
  'got no answer': () => ({ policy: `script-src 'unsafe-inline' ${orderbeacon.url}; connect-src 'none'` }),
  'no orderbeacon:': () => ({
    attributes: `data-team-id="${teamId}" data-endpoint="http://shop.localhost:${pages.port}"`,
  }),
};

it('for each mistake the console prints the line that the guide quotes', async () => {
  expect(Object.keys(mistakes).sort()).toEqual([...quotes].sort());
  for (const [quote, mistake] of Object.entries(mistakes)) {
    const { attributes = `data-team-id="${teamId}"`, host = 'shop.localhost', ...page } = mistake();
    const meta = page.policy
      ? `<meta http-equiv="Content-Security-Policy" content="${page.policy}">`
      : '<script>addEventListener("error", ({ message }) => console.error(message))</script>';
    const call = `<script>track('order', ${JSON.stringify(page.order ?? order)})</script>`;
    // The tag comes last. Before the call, it might load in time even without the stub.
    const tag = `<script async src="${orderbeacon.url}/sdk/track.js" data-debug ${attributes}></script>`;
    pages.serve('/thanks', 'anywhere.html', { head: meta, body: (page.stub ?? stub) + call + tag });
    const said = browser.console.length;
    const tab = await browser.newTab();
    await tab.goto(`http://${host}:${pages.port}/thanks`);
    await expect.poll(() => browser.console.slice(said).join('\n'), { message: quote }).toContain(quote);
    await tab.close();
  }
  // A page of the reader's own machine. If it were allowed without --test, its orders would count as live.
  await expect
    .poll(() => browser.console.join('\n'))
    .toContain(`: node_modules/.bin/orderbeacon domain add --team ${teamId} --test other.localhost`);
});
