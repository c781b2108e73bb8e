// @module-tag all
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stub } from '../../../src/core/script/tag.js';
import { checkOrder } from '../../../src/features/pageCheck/checkOrder.js';
import { findPieces } from '../../../src/features/pageCheck/findPieces.js';
import { findTags } from '../../../src/features/pageCheck/findTags.js';
import { readElements } from '../../../src/features/pageCheck/readElements.js';
import { fillPlugin } from '../../../src/features/wooPlugin/zipPlugin.js';
import { exampleOf, readDocument } from '../../kit/examples.js';
import { unescaped } from '../../kit/html.js';
import { temporaryFolder } from '../../kit/temporaryFolder.js';
import { type Ended, hasPhp, needsPhp, runPlugin, type Step, shopOrder, type World } from './runPlugin.js';

const values = {
  publicUrl: 'https://orders.shop.example',
  teamId: 'team_01h455vb4pex5vsknk084sn02q',
  sourceUrl: 'https://orders.shop.example/svc-api/v1/sources/src_abc',
  secret: 'f00d',
  orderIdPrefix: '',
};
const text = fillPlugin(values);
/** Values as hostile as they can be; a secret and a prefix may be any printable text. */
const hostile = { ...values, secret: `'.system("id").'\\`, orderIdPrefix: `\\'?><?='"` };

const run = (world: Partial<World>, ...steps: Step[]) => runPlugin(text, world, ...steps);

/** The report that a page's call of `track()` sends; null where nothing is printed. */
function reportIn(html: string) {
  const [, json] = /\ntrack\('order', (.*)\);\n<\/script>/.exec(html) ?? [];
  return json === undefined ? null : JSON.parse(json);
}

describe('the file of the plugin', () => {
  const template = readDocument('server/src/features/wooPlugin/orderbeacon.php');
  const code = template.replace(/^\/\*\*[\s\S]*?^ \*\/$/m, '').replace(/\/\*\*.*\*\/|^\s*\/\/.*$/gm, '');

  it('has at most 250 lines, no short tag, and nothing that runs text or another program', () => {
    expect(template.trimEnd().split('\n').length).toBeLessThanOrEqual(250);
    expect(template.match(/<\?|\?>/g)).toEqual(['<?']);
    expect(template).toMatch(/^<\?php\n/);
    expect(code).not.toMatch(/\b(?:eval|assert|create_function|base64_decode|unserialize|include|require)\b/);
    expect(code).not.toMatch(/\b(?:exec|system|passthru|shell_exec|proc_open|popen)\s*\(|`/);
  });

  it('asks neither the database nor the tables of posts, so that it runs with both storages of orders', () => {
    expect(code).not.toMatch(/\$wpdb|_post_meta|get_posts?\(|WP_Query|wp_remote_(?:get|post|request)/);
  });

  it('has no syntax and no function that came after PHP 7.4', () => {
    expect(code).not.toMatch(
      /\?->|\bmatch\s*\(|\bstr_(?:contains|starts_with|ends_with)\b|\benum\b|\breadonly\b/,
    );
    expect(code).not.toMatch(/\w: (?:string|int|mixed)\b|\|null|#\[|fn\(.*\) =>.*throw|\(\.\.\.\)/);
  });

  it('escapes all that it prints itself', () => {
    const lines = code.split('\n').filter((line) => /\b(?:echo|print|printf|print_r|var_dump)\b/.test(line));
    expect(lines).toHaveLength(4);
    for (const line of lines)
      expect(line).toMatch(/^\t+(?:echo '[^']*'|printf\( '[^']*', esc_(?:html|url)\( .* \) \));$/);
  });

  it('has the version, and nothing is left of its gaps', () => {
    expect(text).toMatch(/^ \* Version: \d+\.\d+\.\d+\S*$/m);
    expect(text).not.toContain('{{');
  });
});

describe.skipIf(!hasPhp)(`the plugin, run by PHP (${needsPhp})`, () => {
  it('has no fault of syntax, whatever its values are, and means these values', () => {
    const file = join(temporaryFolder(), 'orderbeacon.php');
    writeFileSync(file, fillPlugin(hostile));
    expect(spawnSync('php', ['-l', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const print = `define('ABSPATH', '/'); function add_action() {} function register_deactivation_hook() {}
      function register_uninstall_hook() {} require '${file}';
      echo json_encode([ORDERBEACON_SECRET, ORDERBEACON_ORDER_ID_PREFIX, ORDERBEACON_STUB, ORDERBEACON_URL, ORDERBEACON_TEAM, ORDERBEACON_SOURCE]);`;
    expect(JSON.parse(spawnSync('php', ['-r', print], { encoding: 'utf8' }).stdout)).toEqual([
      hostile.secret,
      hostile.orderIdPrefix,
      stub(),
      hostile.publicUrl,
      hostile.teamId,
      hostile.sourceUrl,
    ]);
  });

  it('opened by its address, it says nothing', () => {
    const file = join(temporaryFolder(), 'orderbeacon.php');
    writeFileSync(file, text);
    expect(spawnSync('php', [file], { encoding: 'utf8' })).toMatchObject({ stdout: '', stderr: '' });
  });

  it('declares both storages of orders and the checkout of blocks', () => {
    const { declared } = run({}, ['before_woocommerce_init']);
    expect(declared).toEqual({
      custom_order_tables: ['orderbeacon.php', true],
      cart_checkout_blocks: ['orderbeacon.php', true],
    });
  });

  it('does nothing at all without WooCommerce, and says so', () => {
    const steps: Step[] = [['before_woocommerce_init'], ['admin_init'], ['admin_notices']];
    const { printed, options } = run({ hasWooCommerce: false }, ...steps);
    expect(printed[2]).toContain('WooCommerce is not active. Activate it.');
    expect(options).toEqual([]);
  });

  describe('on every page', () => {
    const tag = `<script async src="https://orders.shop.example/sdk/track.js" data-team-id="${values.teamId}" data-endpoint="https://orders.shop.example"`;

    it('prints the tag of the team', () => {
      expect(run({}, ['wp_head']).printed).toEqual([`${tag}></script>\n`]);
    });

    const example = (name: string) => exampleOf('server/guides/woocommerce-plugin.md', name);
    const asking = `<script>\n${stub()}\n</script>\n${tag} data-visitor="off"></script>\n`;

    it.each<[string, string]>([
      ['a constant', example('constant')],
      ['a filter', `${example('filter')} $world['user'] = 0;`],
    ])('asks for consent first where %s says so', (_, code) => {
      expect(run({ code }, ['wp_head']).printed).toEqual([asking]);
    });

    it('lets the filter decide after the constant', () => {
      const code = example('constant') + example('filter');
      expect(run({ code }, ['wp_head']).printed).toEqual([`${tag}></script>\n`]);
    });
  });

  describe('on the “thank you” page', () => {
    const thankYou = (more: object = {}) =>
      run({ orders: shopOrder(723, more) }, ['woocommerce_thankyou', 723]).printed[0]!;

    it('reports a paid order by its number, with the shop’s own id beside it', () => {
      const html = thankYou({ number: 'W-2026-0001' });
      expect(html).toContain(`<script id="orderbeacon-call">\n${stub()}\n`);
      expect(reportIn(html)).toEqual({
        email: 'ann@shop.example',
        amount: 49.9,
        orderId: 'W-2026-0001',
        currency: 'EUR',
        name: 'Ann Example',
        items: [{ productId: 71, name: 'T-shirt - M', quantity: 2, price: 24.95 }],
        shopOrderId: '723',
      });
    });

    it('prints pages that “Check my page” finds sound', () => {
      const { elements, outside } = readElements(
        run({ orders: shopOrder(723) }, ['wp_head'], ['woocommerce_thankyou', 723]).printed.join(''),
      );
      const { tags } = findTags(elements, 'https://shop.example/thanks');
      expect(tags).toMatchObject([{ team: values.teamId, endpoint: values.publicUrl }]);
      const pieces = findPieces({ elements, outside }, 'track');
      expect(checkOrder(pieces, elements, { global: 'track', others: [] }, '')).toMatchObject({
        ok: true,
        fix: null,
      });
    });

    it('names the product where it has no variation', () => {
      const items = [{ product_id: 7, variation_id: 0, name: 'Cap', quantity: 1, total: 10, total_tax: 0 }];
      expect(reportIn(thankYou({ items })).items).toMatchObject([{ productId: 7, price: 10 }]);
    });

    it('puts the source’s prefix before the number', () => {
      const prefixed = fillPlugin({ ...values, orderIdPrefix: 'A-' });
      const { printed } = runPlugin(prefixed, { orders: shopOrder(723) }, ['woocommerce_thankyou', 723]);
      expect(reportIn(printed[0]!)).toMatchObject({ orderId: 'A-723', shopOrderId: 'A-723' });
    });

    it.each<[string, object]>([
      ['has no date of payment, as cash on delivery', { date_paid: null }],
      ['is a deposit', { status: 'partially-paid' }],
      ['has no email', { billing_email: '' }],
    ])('prints nothing of an order that %s', (_, more) => {
      expect(thankYou(more)).toBe('');
    });

    it('prints nothing of an order that is not there', () => {
      expect(run({}, ['woocommerce_thankyou', 1])).toMatchObject({ printed: [''], log: '' });
    });

    it('lets nothing of an order end its script', () => {
      const name = `</script><script>alert(1)</script><!-- ' " \\ &amp; \u2028`;
      const html = thankYou({ billing_first_name: name, billing_last_name: '', number: name });
      expect(html.match(/<\/?script/g)).toHaveLength(2);
      expect(html).not.toContain('<!--');
      expect(reportIn(html)).toMatchObject({ name, orderId: name });
    });

    it('prints nothing, and breaks nothing, where an order is broken', () => {
      const { printed, log } = run({ orders: { 723: { id: 723, date_paid: 'now' } } }, [
        'woocommerce_thankyou',
        723,
      ]);
      expect(printed).toEqual(['']);
      expect(log).toContain('Orderbeacon: There is no method get_status');
    });
  });

  describe('on the page that pays an order', () => {
    const query = { 'order-pay': '723', key: 'wc_order_k9HZk7Xc2' };
    const pay = (more: object = {}, asked: object = {}) =>
      run({ orders: shopOrder(723, more), query: { ...query, ...asked } }, ['after_woocommerce_pay']);

    it('reports an order that was just paid', () => {
      expect(reportIn(pay().printed[0]!)).toMatchObject({ orderId: '723', amount: 49.9 });
    });

    it.each<[string, object, object]>([
      ['another key', {}, { key: 'wc_order_other' }],
      ['no key', {}, { key: undefined }],
      ['a list of keys', {}, { key: ['wc_order_k9HZk7Xc2'] }],
      ['no order', {}, { 'order-pay': '1' }],
      ['an order of another customer', { customer_id: 8 }, {}],
      ['an order that is not paid', { date_paid: null }, {}],
      ['an order that was paid hours ago', { date_paid: '2026-03-01T10:00:00Z' }, {}],
    ])('prints nothing with %s', (_, more, asked) => {
      expect(pay(more, asked)).toMatchObject({ printed: [''], log: '' });
    });
  });

  describe('at a checkout', () => {
    const cookies = { ob_visitor: 'mgx0abcd0.123456789', ob_landings: 'MTc3Mg==.a b' };
    const kept = { _orderbeacon_visitor: 'mgx0abcd0.123456789', _orderbeacon_landings: 'MTc3Mg==.a+b' };
    const checkouts = [
      'woocommerce_checkout_create_order',
      'woocommerce_store_api_checkout_update_order_from_request',
      'woocommerce_before_pay_action',
    ];

    it.each(checkouts)('%s keeps visitor and landings with the order', (hook) => {
      const { orders } = run({ cookies, orders: shopOrder(723) }, [hook, { order: 723 }, {}]);
      expect(orders[723]!.meta).toEqual(kept);
      // The other two are saved by WooCommerce.
      expect(orders[723]!.is_saved ?? false).toBe(hook === 'woocommerce_before_pay_action');
    });

    it('keeps nothing without the cookies, which exist with consent alone', () => {
      const { orders } = run({ orders: shopOrder(723) }, [checkouts[0]!, { order: 723 }]);
      expect(orders[723]).not.toHaveProperty('meta');
    });

    it.each(checkouts)('%s goes on whatever happens, and PHP’s log says what', (hook) => {
      const { log, printed } = run({ cookies, orders: shopOrder(723, { is_broken: true }) }, [
        hook,
        { order: 723 },
      ]);
      expect(printed).toEqual(['']);
      expect(log).toContain('Orderbeacon: Another plugin broke this order. in line ');
    });
  });
});

describe.skipIf(!hasPhp)(`the webhook of the plugin, run by PHP (${needsPhp})`, () => {
  const connected = (more: Partial<World> = {}) => run({ orders: shopOrder(723), ...more }, ['admin_init']);
  const answered = (code: number) => ({ response: { code } });
  const delivered = (world: Ended, response: unknown, order = 723, webhook = 1) =>
    run(world, ['woocommerce_webhook_delivery', {}, response, 0.1, order, webhook]);
  const notice = (world: Partial<World>) => {
    const [html] = run(world, ['admin_notices']).printed;
    return unescaped(html!.replace(/<form[\s\S]*/, '').replace(/<[^>]*>/g, ''));
  };
  const made = {
    name: 'Orderbeacon',
    topic: 'order.updated',
    delivery_url: values.sourceUrl,
    secret: values.secret,
    api_version: 'wp_api_v3',
    user_id: 7,
    status: 'active',
    failure_count: 0,
    pending_delivery: false,
  };

  it('is made once, by a user who may manage the shop, and asks if the server answers', () => {
    const world = connected();
    expect(Object.values(world.webhooks)).toMatchObject([made]);
    expect(world.pings).toEqual([values.sourceUrl]);
    const again = run(world, ['admin_init']);
    expect([Object.keys(again.webhooks), again.pings]).toEqual([['1'], []]);
    expect(connected({ user: 8 })).toMatchObject({ webhooks: [], options: [] });
  });

  it('gets the secret of a plugin that takes the place of this one', () => {
    const other = fillPlugin({ ...values, secret: 'beef' });
    const world = runPlugin(other, connected(), ['admin_init']);
    expect(Object.values(world.webhooks)).toMatchObject([{ ...made, secret: 'beef' }]);
  });

  it('says that it works, with the last paid order', () => {
    const world = connected();
    expect(notice(world)).toBe(
      'Orderbeacon: the server answers. The next paid order shows here that it is taken.',
    );
    const told = delivered(world, answered(200));
    expect(notice(told)).toMatch(/^Orderbeacon: connected, last order 723, \d+ seconds ago\.$/);
    expect(notice({ ...told, screen: 'dashboard' })).toBe('');
    expect(notice({ ...told, user: 8 })).toBe('');
  });

  it('does not take an order that is not paid, or another webhook, for its own word', () => {
    const world = connected({ orders: shopOrder(723, { date_paid: null }) });
    expect(notice(delivered(world, answered(200)))).toContain('The next paid order');
    expect(notice(delivered(connected(), answered(200), 723, 2))).toContain('The next paid order');
    expect(notice(delivered(connected(), answered(500), 723, 2))).toContain('The next paid order');
  });

  it.each<[unknown, string]>([
    [answered(401), 'Download the plugin again in Orderbeacon’s Setup, and upload that one.'],
    [answered(404), 'Download the plugin again in Orderbeacon’s Setup, and upload that one.'],
    [answered(422), 'Connect again as an administrator.'],
    [answered(301), 'Set PUBLIC_URL there to that one, and download the plugin again.'],
    [answered(503), 'The server answered with the status 503.'],
    [{ unreachable: 'cURL error 28 <b>' }, 'The server cannot be reached: cURL error 28 <b>'],
  ])('after %o it says the fix, on every page of the admin, until a delivery arrives', (response, words) => {
    const world = delivered(connected(), response);
    expect(notice({ ...world, screen: 'dashboard' })).toContain(words);
    expect(run(world, ['admin_notices']).printed[0]).not.toContain('<b>');
    expect(notice(delivered(world, answered(200)))).toContain('connected, last order 723');
  });

  it('says that the server cannot be reached as soon as it is made', () => {
    const words = 'Error: Delivery URL cannot be reached: no such host';
    expect(notice(connected({ pingFault: words }))).toBe(`Orderbeacon: ${words}`);
  });

  it.each<[string, (world: Ended) => Partial<World>, string]>([
    ['is gone', (world) => ({ ...world, webhooks: {} }), 'The webhook is not there. Connect again.'],
    [
      'is switched off',
      (world) => ({ ...world, webhooks: { 1: { ...world.webhooks[1]!, status: 'disabled' } } }),
      'The webhook is switched off, as WooCommerce does after some failures. Connect again.',
    ],
    [
      'was made by somebody who is gone',
      (world) => ({ ...world, user: 9, rights: { 9: ['manage_woocommerce'] } }),
      'The user who made the webhook is gone, or may not read orders. Connect again as one who stays.',
    ],
  ])('that %s is not made again unasked, and is by a button', (_, change, words) => {
    const changed = change(connected());
    expect(notice(run(changed, ['admin_init']))).toBe(`Orderbeacon: ${words}`);
    const [html] = run(changed, ['admin_notices']).printed;
    expect(html).toContain('action="https://shop.example/wp-admin/admin-post.php"');
    expect(html).toContain('name="action" value="orderbeacon_connect"');
    expect(html).toContain('value="of orderbeacon_connect"');
    const again = run(changed, ['admin_post_orderbeacon_connect']);
    expect(Object.values(again.webhooks)).toMatchObject([{ ...made, user_id: changed.user }]);
    expect(again.redirect).toBe('https://shop.example/wp-admin/plugins.php');
    expect(notice(again)).toContain('the server answers');
  });

  it('is not made again by the form of another site, or by somebody without the right', () => {
    for (const who of [{ hasNonce: false }, { user: 8 }])
      expect(run(who, ['admin_post_orderbeacon_connect'])).toMatchObject({ webhooks: [], options: [] });
  });

  it.each(['deactivate', 'uninstall'])(
    'goes with the plugin, on %s, and with it all that it remembered',
    (hook) => {
      const other = { 5: { ...made, id: 5, name: 'Warehouse' } };
      const world = connected({ webhooks: other, options: { other: 1 } });
      expect(Object.keys(world.webhooks)).toHaveLength(2);
      const { webhooks, options } = run(world, [hook]);
      expect([Object.values(webhooks), options]).toEqual([[other[5]], { other: 1 }]);
    },
  );

  it('leaves nothing that breaks WordPress where WooCommerce was removed before', () => {
    const { options } = run({ ...connected(), hasWooCommerce: false }, ['deactivate'], ['uninstall']);
    expect(options).toEqual([]);
  });
});
