import { describe, expect } from 'vitest';
import { fillPlugin } from '../../../src/features/wooPlugin/zipPlugin.js';
import { type Shop, test } from '../../kit/shop.js';
import { annsVisitor } from '../sources/kit/shopifySamples.js';
import { addTestSource, type TestSource } from '../sources/kit/sources.js';
import { meta, wooOrder } from '../sources/kit/wooCommerceSamples.js';
import { hasPhp, needsPhp, runPlugin, type Site, shopOrder } from './runPlugin.js';

/** Makes the plugin for a shop's source, and a site in which it has connected. */
async function install({ server, team, teamId }: Shop, orderIdPrefix = '') {
  const secret = 'f00d';
  const source = await addTestSource(server, team, { kind: 'woocommerce', secret, orderIdPrefix });
  const text = fillPlugin({
    publicUrl: server.url,
    teamId,
    sourceUrl: server.url + source.path,
    secret,
    orderIdPrefix,
  });
  return { source, text, site: runPlugin(text, {}, ['admin_init']) as Site };
}

/** Sends an order as the plugin's webhook does, signed by PHP. Resolves with what the plugin prints after that. */
async function deliver(source: TestSource, text: string, site: Site, order: object) {
  const body = JSON.stringify(order);
  const [signature] = runPlugin(text, site, ['sign', 1, body]).printed;
  const webhook = Object.values(site.webhooks)[0]!;
  expect(new URL(String(webhook.delivery_url)).pathname).toBe(source.path);
  const headers = { 'x-wc-webhook-topic': String(webhook.topic), 'x-wc-webhook-signature': signature! };
  const { status } = await source.post(body, headers);
  const response = { response: { code: status } };
  const received = runPlugin(text, site, ['woocommerce_webhook_delivery', {}, response, 0.1, 723, 1]);
  return { status, notice: runPlugin(text, received, ['admin_notices']).printed[0] };
}

/** Reads the report in the page that the plugin prints. */
function printedReport(text: string, site: Site) {
  const [html] = runPlugin(text, site, ['woocommerce_thankyou', 723]).printed;
  return JSON.parse(/\ntrack\('order', (.*)\);\n<\/script>/.exec(html!)![1]!);
}

describe.skipIf(!hasPhp)(`the plugin and its source (${needsPhp})`, () => {
  test.for([
    ['page', 'webhook'],
    ['webhook', 'page'],
  ])(
    '%s and then %s are one order, under its number, with the visitor of the checkout',
    async ([first], { shop }) => {
      const { source, text, site } = await install(shop, 'A-');
      site.orders = shopOrder(723, { number: 'W-1' });
      const sent = wooOrder(723, { number: 'W-1', meta_data: [meta('_orderbeacon_visitor', annsVisitor)] });
      const byPage = async () => expect((await shop.report(printedReport(text, site))).status).toBe(200);
      const byWebhook = async () =>
        expect(await deliver(source, text, site, sent)).toMatchObject({
          status: 200,
          notice: expect.stringContaining('connected, last order W-1'),
        });
      await (first === 'page' ? byPage() : byWebhook());
      await (first === 'page' ? byWebhook() : byPage());
      expect(await shop.stored()).toMatchObject([
        {
          orderId: 'A-W-1',
          reportedBy: 'both',
          amount: '49.9',
          currency: 'EUR',
          visitorId: annsVisitor,
        },
      ]);
    },
  );

  test('a webhook with a former secret is refused, and WordPress says what to do', async ({ shop }) => {
    const { source, text, site } = await install(shop);
    site.orders = shopOrder(723);
    await shop.sql`update source set secret = 'beef' where team_id = ${shop.team}`;
    expect(await deliver(source, text, site, wooOrder(723))).toMatchObject({
      status: 401,
      notice: expect.stringContaining('Download the plugin again'),
    });
    expect(await shop.stored()).toEqual([]);
  });
});

describe('an order that is numbered anew after its page was shown', () => {
  const page = {
    email: 'ann@shop.example',
    amount: 49.9,
    currency: 'EUR',
    orderId: 'A-W-1',
    shopOrderId: 'A-723',
  };
  const eventOf = async ({ server, team }: Shop) => {
    const source = await addTestSource(server, team, { kind: 'woocommerce', orderIdPrefix: 'A-' });
    for (const _ of [1, 2])
      expect((await source.say(wooOrder(723, { number: 'RE-2026/00001' }), 'order.updated')).status).toBe(
        200,
      );
  };

  test('is one order, because the page says the shop’s own id beside the number', async ({ shop }) => {
    await shop.report(page);
    await eventOf(shop);
    expect(await shop.stored()).toMatchObject([{ orderId: 'A-RE-2026/00001', reportedBy: 'both' }]);
    const { id } = (await shop.read('A-W-1')).body.data;
    expect((await shop.read('A-RE-2026/00001')).body.data.id).toBe(id);
  });
});
