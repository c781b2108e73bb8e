import { afterEach, expect, it } from 'vitest';
import { webPage } from '../harness/answers.ts';
import { bundlePage } from '../harness/bundle.ts';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample } from '../harness/examples.ts';
import type { Fault } from '../harness/faults.ts';
import { setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const browser = setUpChromium();
afterEach(() => shop.network.onScript('pass'));

const bundle = await bundlePage('next.jsx', { 'ReportOrder.jsx': recipeExample('next', 'script') });
shop.pages.serveText('/next.js', 'text/javascript', bundle);
shop.pages.serveText('/cart/update.js', 'application/json', '{}');
shop.pages.serve('/paid', 'blank.html', {});

const filledIn = (html: string) =>
  html.replaceAll('team_…', shop.teamId).replaceAll('https://orders.shop.example', shop.endpoint);
const everyPage = filledIn(recipeExample('html', 'every-page'));
shop.pages.serve('/', 'anywhere.html', { head: everyPage });

/** The button that leads the buyer on, even if the shop's other code fails. */
const payForm = '<form action="/paid"><button id="pay">Pay</button></form>';
/** Each visit begins without what earlier ones have left, and hears of every exception. */
const trap = `<script>
  localStorage.clear();
  window.errors = [];
  addEventListener('error', ({ message }) => errors.push(message));
  addEventListener('unhandledrejection', ({ reason }) => errors.push('unhandled ' + reason));
</script>`;
/** The recipe's handler of the pay button, with a backend that gives the payment page. */
const payByStripe = `<button id="pay">Pay</button><script>
  const send = window.fetch;
  window.fetch = async (url, init) =>
    url === '/pay' ? new Response(JSON.stringify({ url: '/paid?' + init.body })) : send(url, init);
  document.getElementById('pay').onclick = async () => {
    const orderId = 'stripe';
    ${recipeExample('stripe', 'pay')}
  };
</script>`;
const woocommerce = [...recipeExample('woocommerce', 'hook').matchAll(/\?>([\s\S]*?)<\?php(?! echo)/g)].map(
  ([, html]) =>
    filledIn(html!).replace(
      /<\?php echo .*? \?>/,
      '{"email":"ann@shop.example","amount":"49.90","orderId":"1001"}',
    ),
);
const [, nextStub] = /`\n(.*)\n`/.exec(recipeExample('next', 'layout'))!;

/** The placeholders of a page, and the orders that a visit makes. */
interface RecipePage {
  head?: string;
  body: string;
  everyPage?: string;
  tag?: string;
  push?: string;
  orders: number;
}

/** A shop's page made by each recipe. */
const recipes: Record<string, RecipePage> = {
  'a page of your own': { head: everyPage, body: recipeExample('html', 'page') + payForm, orders: 1 },
  WooCommerce: { head: woocommerce[0]!, body: woocommerce[1]! + payForm, orders: 1 },
  'Google Tag Manager': {
    body: payForm,
    everyPage: filledIn(recipeExample('tag-manager', 'every-page')),
    tag: recipeExample('tag-manager', 'tag'),
    push: recipeExample('tag-manager', 'push'),
    orders: 1,
  },
  'Next.js': {
    head: `<script>${nextStub}</script>${everyPage}`,
    body: `<div id="root"></div><script type="module" src="/next.js"></script>${payForm}`,
    orders: 1,
  },
  Shopify: {
    head: filledIn(recipeExample('shopify', 'theme').replace(/\{\{.*?\}\}/, '{}')),
    body: payForm,
    orders: 0,
  },
  Stripe: { head: everyPage, body: payByStripe, orders: 0 },
};

/** Faults of the script. */
const fates: Record<string, Fault> = {
  missing: webPage(404),
  blocked: 'reset',
  slow: 'hang',
  'a web page': webPage(200),
  broken: { status: 200, headers: { 'Content-Type': 'text/javascript' }, body: '(()=>{let e=6500;function' },
  'an exception': { status: 200, headers: { 'Content-Type': 'text/javascript' }, body: 'throw "broken"' },
};

/** The browser's own words about a script of another site. */
const isOurs = (text: string) => !/^Script error\.$/.test(text);

let visits = 0;
/** The buyer comes to the page and goes on to pay; nothing is thrown, and the order is kept or on its way. */
async function visit({ orders, ...html }: RecipePage, orderId: string) {
  const path = `/visit-${++visits}`;
  const own = Object.entries(html).map(([gap, text]) => [gap, text.replaceAll('1001', orderId)]);
  const file = html.tag ? 'data-layer.html' : 'anywhere.html';
  shop.pages.serve(path, file, { ...Object.fromEntries(own), head: trap + (html.head ?? '') });
  const tab = await browser.newTab();
  // A script that hangs keeps the page from loading to the end; the buyer does not wait for that.
  const loaded = tab.goto(`${shop.origin}${path}?orderId=${orderId}`).catch(() => {});
  await expect
    .poll(() =>
      tab
        .run(`return location.pathname === '${path}' && !!document.getElementById('pay')`)
        .catch(() => false),
    )
    .toBe(true);
  if (orders) {
    const isKept = `return Object.keys(localStorage).some((key) => key.startsWith('orderbeacon:'))
      || performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/orders'))`;
    await expect.poll(() => tab.run(isKept)).toBe(true);
  }
  expect((await tab.run<string[]>('return errors')).filter(isOurs)).toEqual([]);
  await tab.run(`document.getElementById('pay').click()`);
  await expect.poll(() => tab.run('return location.pathname').catch(() => '')).toBe('/paid');
  await loaded;
  return tab;
}

it.each(Object.keys(recipes).flatMap((recipe) => Object.keys(fates).map((fate) => [recipe, fate] as const)))(
  '%s: with a script that is %s the buyer pays, and the order comes later',
  async (recipe, fate) => {
    const orderId = `${recipe} ${fate}`.replaceAll(/\W+/g, '-');
    shop.network.onScript(fates[fate]!);
    const tab = await visit(recipes[recipe]!, orderId);
    shop.network.onScript('pass');
    await tab.goto(`${shop.origin}/`);
    await expect.poll(() => tab.run('return typeof window.track')).toBe('function');
    await storedAre(recipes[recipe]!.orders, orderId);
  },
);

it.each(Object.keys(recipes))(
  '%s: with the script twice the buyer pays, and the order comes once',
  async (recipe) => {
    const { head = '', body, ...more } = recipes[recipe]!;
    const orderId = `${recipe} twice`.replaceAll(/\W+/g, '-');
    const tab = await visit({ ...more, head: head + everyPage, body: body + everyPage }, orderId);
    await tab.goto(`${shop.origin}/`);
    await storedAre(recipes[recipe]!.orders, orderId);
  },
);

async function storedAre(orders: number, orderId: string) {
  const stored = async () =>
    (await shop.orderbeacon.orders(shop.teamId)).filter((order) => order.orderId === orderId);
  await expect.poll(stored, { interval: 300 }).toHaveLength(orders);
}
