// @module-tag all
import ts from 'typescript';
import { beforeEach, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { webPage } from '../harness/answers.ts';
import { bundlePage } from '../harness/bundle.ts';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample as printedExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

/** A buyer's name that runs code in a page which does not escape it. */
const hostileName = `</script><script>window.isHacked = true</script><!--<script> & "Ann"`;

const { orderbeacon, pages, network, endpoint, origin } = await setUpShop();
network.roundTripMs = 0;
const browser = setUpChromium();

let teamId: string;
let tab: Tab;
beforeEach(async () => {
  teamId = (await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop')).id;
  await orderbeacon.command('domain', 'add', '--team', teamId, 'shop.localhost');
  network.onScript('pass');
  tab = await browser.newTab();
});

/** Returns a recipe's code with a buyer, as the reader's shop fills it in. */
const recipeExample = (recipe: string, name: string) =>
  printedExample(recipe, name).replaceAll('ann@shop.example', 'ann@buyer.example');

/** Fills a recipe's code with the reader's values. */
const filledIn = (code: string) =>
  code.replaceAll('team_…', teamId).replaceAll('https://orders.shop.example', endpoint);

/** Resolves when the page has an answer, and no report waits any more. */
async function answered() {
  const body = `return performance.getEntriesByType('resource')
      .some(({ name, responseStatus }) => name.includes('/svc-api/v1/orders?') && responseStatus === 200)
    && !Object.keys(localStorage).some((key) => key.startsWith('orderbeacon:'))`;
  await expect.poll(() => tab.run(body)).toBe(true);
}

/** Reads the team's orders, sorted by their `orderId`. */
const stored = async () =>
  (await orderbeacon.orders(teamId)).sort((a, b) => a.orderId!.localeCompare(b.orderId!));

const order = { email: 'ann@buyer.example', amount: '49.90', orderId: '1001', currency: 'EUR' };
const tee = { productId: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 };

/** Makes the output of each hook of the WooCommerce recipe, which prints a report. */
const printedBy = (report: object): string[] => {
  // PHP writes this with the recipe's flags, and every slash like this.
  const json = JSON.stringify(report)
    .replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('/', '\\/');
  const php = recipeExample('woocommerce', 'hook').replace(/<\?php echo .*? \?>/, () => json);
  return [...php.matchAll(/\?>([\s\S]*?)<\?php/g)].map(([, html]) => html!);
};
const ofWooCommerce = {
  ...order,
  name: hostileName,
  items: [{ productId: 7, name: 'T-shirt', quantity: 2, price: 24.95 }],
};
const escapedPage = () => {
  const escaped = new Function('order', `return ${recipeExample('html', 'escape')}`);
  return recipeExample('html', 'page').replace(/^\{.*\}$/m, () => escaped({ ...order, name: hostileName }));
};
/** Reads the text that the layout of the Next.js recipe puts between script tags. */
const stubOfLayout = (): string =>
  new Function(`return ${/const stub = ([^;]*?`[^`]*`);/.exec(recipeExample('next', 'layout'))![1]}`)();
const tagOfManager = recipeExample('tag-manager', 'tag');
const netTag = tagOfManager
  .replace("track('order'", (call) => `${recipeExample('tag-manager', 'total')}\n${call}`)
  .replace('amount: purchase.value', 'amount: total');
const netPurchase = { transaction_id: 'T-1', value: 41.93, tax: 7.97, shipping: '4.90', currency: 'EUR' };

pages.serveText(
  '/next.js',
  'text/javascript',
  await bundlePage('next.jsx', { 'ReportOrder.jsx': recipeExample('next', 'script') }),
);
/** The handler of the pay button in the Stripe recipe, and a stand-in of the backend that returns the payment page. */
const payByStripe = `<script>
  const send = window.fetch;
  window.fetch = async (url, init) =>
    url === '/pay' ? new Response(JSON.stringify({ url: '/paid?' + init.body })) : send(url, init);
  document.getElementById('pay').onclick = async () => {
    const orderId = 'stripe';
    ${recipeExample('stripe', 'pay')}
  };
</script>`;
pages.serveText('/cart/update.js', 'application/json', '{}');
pages.serve('/paid', 'blank.html', {});

/** A page of a recipe: its filled placeholders, the later steps on it, and the orders that must arrive. */
interface RecipePage {
  html(): Record<string, string>;
  later?: string;
  arrived: object[];
}

const ownPage: RecipePage = {
  html: () => ({
    head: filledIn(recipeExample('html', 'every-page')),
    // The shop has an element with the most usual id.
    body: `<section id="order">Order 1001</section>${recipeExample('html', 'page')}`,
  }),
  arrived: [{ ...order, amount: 49.9, currency: 'USD', name: 'Ann' }],
};
const woocommerce: RecipePage = {
  html() {
    const [head, body] = printedBy(ofWooCommerce);
    return { head: filledIn(head!), body: body! };
  },
  arrived: [{ ...ofWooCommerce, amount: 49.9 }],
};
const ofManager = (tag: string, push: string) => () => ({
  everyPage: filledIn(recipeExample('tag-manager', 'every-page')),
  tag,
  push,
});
const tagManager: RecipePage = {
  html: ofManager(tagOfManager, recipeExample('tag-manager', 'push')),
  later: `dataLayer.push({ event: 'purchase' });
    for (const odd of [null, undefined, 0, 'purchase', [], () => 1, { ecommerce: null }, ['set', null], ['event']])
      dataLayer.push(odd);
    dataLayer.push({
      event: 'purchase',
      user_data: { email: 'bob@shop.example' },
      ecommerce: {
        transaction_id: 1002,
        value: '24.95',
        currency: 'eur',
        items: [null, { item_id: 7, item_name: 'Cap', item_variant: null, quantity: '1', price: '1,134.65' }],
      },
    });`,
  arrived: [
    { ...order, amount: 49.9, currency: 'USD', items: [tee] },
    {
      orderId: '1002',
      email: 'bob@shop.example',
      amount: 24.95,
      currency: 'EUR',
      items: [{ productId: 7, name: 'Cap', quantity: 1 }],
    },
  ],
};
const next: RecipePage = {
  html: () => ({
    head: `<script>${stubOfLayout()}</script>${filledIn(recipeExample('html', 'every-page'))}`,
    body: '<div id="root"></div><script type="module" src="/next.js"></script>',
  }),
  arrived: [{ email: 'ann@buyer.example', amount: 49.9, orderId: '1001' }],
};

it('the layout for Next.js prints the stub as it was built', () => {
  expect(stubOfLayout().trim()).toBe(stub);
});

it.each<[recipe: string, page: RecipePage]>([
  ['a page of your own', ownPage],
  [
    'a page of your own with a hostile name',
    {
      html: () => ({ ...ownPage.html(), body: escapedPage() }),
      arrived: [{ ...order, amount: 49.9, name: hostileName }],
    },
  ],
  ['WooCommerce with a hostile name', woocommerce],
  ['Google Tag Manager', tagManager],
  [
    'Google Tag Manager with the line for a net value',
    {
      html: ofManager(
        netTag,
        `dataLayer.push(${JSON.stringify({ event: 'purchase', user_data: { email: order.email }, ecommerce: netPurchase })})`,
      ),
      arrived: [{ orderId: 'T-1', amount: 54.8, extra: { tax: 7.97, shipping: '4.90' } }],
    },
  ],
  [
    'Google Tag Manager that gtag() tells',
    {
      html: ofManager(tagOfManager, recipeExample('tag-manager', 'gtag')),
      later: `gtag('event', 'view_item', { value: 1 });
        gtag('event', 'purchase', { transaction_id: 'T-2', value: 5, currency: 'EUR', user_data: { email: 'bob@shop.example' } })`,
      arrived: [
        { orderId: '1001', email: 'ann@buyer.example', amount: 49.9, items: [tee] },
        { orderId: 'T-2', email: 'bob@shop.example', amount: 5, currency: 'EUR' },
      ],
    },
  ],
  ['Next.js with the script tag', next],
])('%s: each order arrives once, though its page is shown twice, and nothing of it runs', async (_, page) => {
  pages.serve('/thanks', page.html().tag ? 'data-layer.html' : 'anywhere.html', page.html());
  await tab.goto(`${origin}/thanks?orderId=1001`);
  await answered();
  await tab.goto(`${origin}/thanks?orderId=1001`);
  await answered();
  if (page.later) await tab.run(page.later);
  await expect.poll(async () => (await stored()).length).toBe(page.arrived.length);
  expect(await stored()).toMatchObject(page.arrived);
  expect(await tab.run('return window.isHacked')).toBe(undefined);
});

it.each<[recipe: string, page: RecipePage]>([
  ['a page of your own', ownPage],
  ['WooCommerce', woocommerce],
  ['Google Tag Manager', { ...tagManager, arrived: tagManager.arrived.slice(0, 1) }],
  ['Next.js', next],
  [
    'Shopify',
    {
      html: () => ({
        head: filledIn(recipeExample('shopify', 'theme').replace(/\{\{.*?\}\}/, '{}')),
        body: '',
      }),
      arrived: [],
    },
  ],
  ['Stripe', { html: () => ({ ...ownPage.html(), body: payByStripe }), arrived: [] }],
])('%s: without the script the buyer pays, and the order comes with a later page', async (_, page) => {
  const { head = '', body = '', ...more } = page.html();
  const errors = `<script>
    window.errors = [];
    addEventListener('error', ({ message }) => errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => errors.push('unhandled ' + reason));
  </script>`;
  // The button leads the buyer on, even if other code of the shop fails.
  const pay = '<form action="/paid"><button id="pay">Pay</button></form>';
  pages.serve('/', 'anywhere.html', { head: filledIn(recipeExample('html', 'every-page')) });
  pages.serve('/pay-here', more.tag ? 'data-layer.html' : 'anywhere.html', {
    ...more,
    head: errors + head,
    body: pay + body,
  });
  network.onScript(webPage(404));
  await tab.goto(`${origin}/pay-here?orderId=1001`);
  const isKept = `return Object.keys(localStorage).some((key) => key.startsWith('orderbeacon:'))`;
  await expect.poll(() => tab.run(isKept)).toBe(page.arrived.length > 0);
  expect(await tab.run('return errors')).toEqual([]);
  await tab.run(`document.getElementById('pay').click()`);
  await expect.poll(() => tab.run('return location.pathname').catch(() => '')).toBe('/paid');

  network.onScript('pass');
  await tab.goto(`${origin}/`);
  await expect.poll(() => tab.run('return typeof window.track')).toBe('function');
  if (page.arrived.length > 0) await answered();
  expect(await stored()).toMatchObject(page.arrived);
});

it('the WooCommerce hook prints the fields of a report, as PHP escapes them for a page', () => {
  const php = recipeExample('woocommerce', 'hook');
  const keys = [...php.matchAll(/'(\w+)'\s+=>/g)].map(([, key]) => key);
  expect(keys).toEqual([...Object.keys(ofWooCommerce), ...Object.keys(ofWooCommerce.items[0]!)]);
  expect(php).toContain('JSON_HEX_TAG | JSON_HEX_AMP');
});

it('the Next.js components with the npm package keep a landing before, and report one order', async () => {
  const tracker = filledIn(recipeExample('next', 'tracker'));
  const component = recipeExample('next', 'package').replace('../Orderbeacon', './Orderbeacon.jsx');
  const bundles = {
    '/first': await bundlePage('next.jsx', {
      'ReportOrder.jsx': tracker.replace('Orderbeacon()', 'ReportOrder()'),
    }),
    '/last': await bundlePage('next.jsx', { 'ReportOrder.jsx': component, 'Orderbeacon.jsx': tracker }),
  };
  for (const [path, bundle] of Object.entries(bundles)) {
    pages.serveText(`${path}.js`, 'text/javascript', bundle);
    pages.serve(path, 'blank.html', {
      body: `<div id="root"></div><script type="module" src="${path}.js"></script>`,
    });
  }
  await tab.goto(`${origin}/first?utm_source=mail`);
  await expect
    .poll(() => tab.run(`return atob(document.cookie.match(/ob_landings=[^.;]*[.]([^;]*)/)?.[1] ?? '')`))
    .toContain('/first');
  await tab.goto(`${origin}/last?orderId=1001`);
  await answered();
  expect(await stored()).toMatchObject([
    { orderId: '1001', amount: 49.9, lastTouch: { path: '/first', source: 'mail' } },
  ]);
});

it('the Next.js page looks the order up by the key of its address, and hands it to the component', async () => {
  const { outputText } = ts.transpileModule(recipeExample('next', 'thanks'), {
    compilerOptions: {
      jsx: ts.JsxEmit.React,
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
    },
  });
  const exported: { default?: (page: object) => Promise<{ type: unknown; props: { order: object } }> } = {};
  const asked: string[] = [];
  new Function('exports', 'require', 'React', 'findPaidOrder', outputText)(
    exported,
    () => ({ ReportOrder: 'ReportOrder' }),
    { createElement: (type: unknown, props: object) => ({ type, props }) },
    async (key: string) => {
      asked.push(key);
      return { email: 'ann@buyer.example', total: 49.9, id: '1001', currency: 'EUR' };
    },
  );
  const element = await exported.default!({ searchParams: Promise.resolve({ key: 'secret' }) });
  expect(asked).toEqual(['secret']);
  expect(element.type).toBe('ReportOrder');
  expect(element.props.order).toEqual({ ...order, amount: 49.9 });
});
