import ts from 'typescript';
import { beforeEach, expect, it } from 'vitest';
import type { Tab } from '../browsers/browser.ts';
import { bundlePage } from '../harness/bundle.ts';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';
import { stub } from '../harness/stub.ts';

/** A buyer's name that runs code in a page which does not escape it. */
const hostileName = `</script><script>window.isHacked = true</script><!--<script> & "Ann"`;

const { orderbeacon, pages } = await setUpShop();
const browser = setUpChromium();

let teamId: string;
let tab: Tab;
beforeEach(async () => {
  teamId = (await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop')).id;
  await orderbeacon.command('domain', 'add', '--team', teamId, 'shop.localhost');
  tab = await browser.newTab();
});

/** A recipe's code with the reader's values. */
function filledIn(code: string): string {
  expect(code).toContain('team_…');
  expect(code).toContain('https://orders.shop.example');
  return code.replaceAll('team_…', teamId).replaceAll('https://orders.shop.example', orderbeacon.url);
}

const open = (path: string) => tab.goto(`http://shop.localhost:${pages.port}${path}`);

/** Resolves when that many reports of the page were taken and none waits any more. */
async function answered(reports: number) {
  const body = `return [
    performance.getEntriesByType('resource')
      .filter(({ name, responseStatus }) => name.endsWith('/svc-api/v1/orders') && responseStatus === 200).length,
    Object.keys(localStorage).filter((key) => key.startsWith('orderbeacon:')).length,
  ]`;
  await expect.poll(() => tab.run(body)).toEqual([reports, 0]);
}

const order = { email: 'ann@shop.example', amount: '49.90', orderId: '1001', currency: 'EUR' };

/** The output of each hook of a PHP file. */
const printedBy = (php: string) => [...php.matchAll(/\?>([\s\S]*?)<\?php/g)].map(([, html]) => html!);

/** The text that the layout of the Next.js recipe puts between script tags. */
const stubOfLayout = (): string =>
  new Function(`return ${/const stub = ([^;]*?`[^`]*`);/.exec(recipeExample('next', 'layout'))![1]}`)();

it('every recipe has the stub as it was built', () => {
  expect(stubOfLayout().trim()).toBe(stub);
  for (const [recipe, example] of [
    ['html', 'page'],
    ['tag-manager', 'tag'],
    ['woocommerce', 'hook'],
    ['next', 'layout'],
  ]) {
    expect(recipeExample(recipe!, example!), recipe).toContain(stub);
  }
});

it('the page of a shop’s own reports what its data block holds, once, and runs nothing of it', async () => {
  const escaped = new Function('order', `return ${recipeExample('html', 'escape')}`);
  const body = recipeExample('html', 'page').replace(/^\{.*\}$/m, () =>
    escaped({ ...order, name: hostileName }),
  );
  expect(body).toContain('isHacked');
  const head = filledIn(recipeExample('html', 'every-page'));
  pages.serve('/own', 'anywhere.html', { head, body });
  await open('/own');
  await answered(1);
  await open('/own');
  await answered(1);
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ ...order, amount: 49.9, name: hostileName }]);
  expect(await tab.run('return window.isHacked')).toBe(undefined);
});

it('the page of a shop’s own reports the order that stands in the recipe, beside an element of its own', async () => {
  const head = filledIn(recipeExample('html', 'every-page'));
  // The shop has an element of its own with the most usual id.
  const body = `<section id="order">Order 1001</section>${recipeExample('html', 'page')}`;
  pages.serve('/as-shown', 'anywhere.html', { head, body });
  await open('/as-shown');
  await answered(1);
  expect(await orderbeacon.orders(teamId)).toMatchObject([
    { email: 'ann@shop.example', amount: 49.9, orderId: '1001', currency: 'USD', name: 'Ann' },
  ]);
});

it('a tag of Google Tag Manager reports each purchase of the dataLayer once', async () => {
  const everyPage = filledIn(recipeExample('tag-manager', 'every-page'));
  const tag = recipeExample('tag-manager', 'tag');
  pages.serve('/gtm', 'data-layer.html', { everyPage, tag, push: recipeExample('tag-manager', 'push') });
  await open('/gtm');
  await answered(1);
  await tab.run(`dataLayer.push({ event: 'purchase' });
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
    });`);
  await answered(2);
  await open('/gtm');
  await answered(1);
  const orders = await orderbeacon.orders(teamId);
  expect(orders.sort((a, b) => a.orderId!.localeCompare(b.orderId!))).toMatchObject([
    {
      orderId: '1001',
      email: 'ann@shop.example',
      amount: 49.9,
      currency: 'USD',
      items: [{ productId: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
    },
    { orderId: '1002', email: 'bob@shop.example', amount: 24.95, currency: 'EUR' },
  ]);
  expect(orders[1]!.items).toEqual([{ productId: 7, name: 'Cap', quantity: 1 }]);
});

it('a tag of Google Tag Manager with the line for a net value reports all that the buyer paid', async () => {
  const everyPage = filledIn(recipeExample('tag-manager', 'every-page'));
  const total = recipeExample('tag-manager', 'total');
  const tag = recipeExample('tag-manager', 'tag')
    .replace("track('order'", (call) => `${total}\n${call}`)
    .replace('amount: purchase.value', 'amount: total');
  const purchase = { transaction_id: 'T-1', value: 41.93, tax: 7.97, shipping: '4.90', currency: 'EUR' };
  const push = `dataLayer.push(${JSON.stringify({ event: 'purchase', user_data: { email: order.email }, ecommerce: purchase })})`;
  pages.serve('/gtm-net', 'data-layer.html', { everyPage, tag, push });
  await open('/gtm-net');
  await answered(1);
  const extra = { tax: 7.97, shipping: '4.90' };
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: 'T-1', amount: 54.8, extra }]);
});

it('a tag of Google Tag Manager reports a purchase that gtag() has announced, once', async () => {
  const everyPage = filledIn(recipeExample('tag-manager', 'every-page'));
  const tag = recipeExample('tag-manager', 'tag');
  pages.serve('/gtag', 'data-layer.html', { everyPage, tag, push: recipeExample('tag-manager', 'gtag') });
  await open('/gtag');
  await answered(1);
  await open('/gtag');
  await answered(1);
  await tab.run(`gtag('event', 'view_item', { value: 1 });
    gtag('event', 'purchase', { transaction_id: 'T-2', value: 5, currency: 'EUR', user_data: { email: 'bob@shop.example' } })`);
  await answered(2);
  const orders = await orderbeacon.orders(teamId);
  expect(orders.sort((a, b) => a.orderId!.localeCompare(b.orderId!))).toMatchObject([
    {
      orderId: '1001',
      email: 'ann@shop.example',
      amount: 49.9,
      items: [{ productId: 'TEE-M', name: 'T-shirt', variant: 'M', quantity: 2, price: 24.95 }],
    },
    { orderId: 'T-2', email: 'bob@shop.example', amount: 5, currency: 'EUR' },
  ]);
});

it('the page that the WooCommerce hook prints reports the order once, and runs nothing of it', async () => {
  const php = recipeExample('woocommerce', 'hook');
  const item = { productId: 7, name: 'T-shirt', quantity: 2, price: 24.95 };
  const report = { ...order, name: hostileName, items: [item] };
  const keys = [...php.matchAll(/'(\w+)'\s+=>/g)].map(([, key]) => key);
  expect(keys).toEqual([...Object.keys(report), ...Object.keys(item)]);
  expect(php).toContain('JSON_HEX_TAG | JSON_HEX_AMP');
  // What PHP makes of those flags, and of every slash.
  const json = JSON.stringify(report)
    .replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('/', '\\/');
  const [head, body] = printedBy(php.replace(/<\?php echo .*? \?>/, () => json));
  pages.serve('/woocommerce', 'anywhere.html', { head: filledIn(head!), body: body! });
  await open('/woocommerce');
  await answered(1);
  await open('/woocommerce');
  await answered(1);
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ ...report, amount: 49.9 }]);
  expect(await tab.run('return window.isHacked')).toBe(undefined);
});

it('the Next.js components with the npm package keep a landing before, and report one order', async () => {
  const tracker = filledIn(recipeExample('next', 'tracker'));
  const component = recipeExample('next', 'package').replace('../Orderbeacon', './Orderbeacon.jsx');
  const bundles = {
    '/first': await bundlePage('next.jsx', {
      'ReportOrder.jsx': tracker.replace('Orderbeacon()', 'ReportOrder()'),
    }),
    '/thanks': await bundlePage('next.jsx', { 'ReportOrder.jsx': component, 'Orderbeacon.jsx': tracker }),
  };
  for (const [path, bundle] of Object.entries(bundles)) {
    pages.serveText(`${path}.js`, 'text/javascript', bundle);
    pages.serve(path, 'blank.html', {
      body: `<div id="root"></div><script type="module" src="${path}.js"></script>`,
    });
  }
  await open('/first?utm_source=mail');
  await expect
    .poll(() => tab.run(`return atob(document.cookie.match(/ob_landings=[^.;]*[.]([^;]*)/)?.[1] ?? '')`))
    .toContain('/first');
  await open('/thanks?orderId=1001');
  await answered(2);
  const [stored, ...others] = await orderbeacon.orders(teamId);
  expect(stored).toMatchObject({
    orderId: '1001',
    amount: 49.9,
    lastTouch: { path: '/first', source: 'mail' },
  });
  expect(others).toEqual([]);
});

it('the Next.js component with the script tag keeps the order until the tag is there', async () => {
  const bundle = await bundlePage('next.jsx', { 'ReportOrder.jsx': recipeExample('next', 'script') });
  pages.serveText('/next-tag.js', 'text/javascript', bundle);
  const layoutStub = stubOfLayout();
  pages.serve('/next-tag', 'anywhere.html', {
    head: `<script>${layoutStub}</script>`,
    body: '<div id="root"></div><script type="module" src="/next-tag.js"></script>',
  });
  await open('/next-tag?orderId=1001');
  await expect.poll(() => tab.run('return window.track.q.length')).toBe(2);
  // What next/script does, from the attributes that the recipe gives it.
  await tab.run(`const script = document.createElement('script');
    script.src = '${orderbeacon.url}/sdk/track.js';
    script.setAttribute('data-team-id', '${teamId}');
    document.body.append(script);`);
  await answered(2);
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: '1001', amount: 49.9 }]);
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
      return { email: 'ann@shop.example', total: 49.9, id: '1001', currency: 'EUR' };
    },
  );
  const element = await exported.default!({ searchParams: Promise.resolve({ key: 'secret' }) });
  expect(asked).toEqual(['secret']);
  expect(element.type).toBe('ReportOrder');
  expect(element.props.order).toEqual({ ...order, amount: 49.9 });
});
