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
import {
  type Ended,
  hasPhp,
  needsPhp,
  reportIn,
  run,
  runPlugin,
  type Site,
  type Step,
  shopOrder,
  values,
} from './runPlugin.js';

const text = fillPlugin(values);
/** Hostile values. A secret and a prefix may be any printable text. */
const hostile = { ...values, secret: `'.system("id").'\\`, orderIdPrefix: `\\'?><?='"` };

describe('the file of the plugin', () => {
  const template = readDocument('server/src/features/wooPlugin/orderbeacon.php');
  const code = template.replace(/^\/\*\*[\s\S]*?^ \*\/$/m, '').replace(/\/\*\*.*\*\/|^\s*\/\/.*$/gm, '');

  it('has at most 600 lines, no short tag, and nothing that runs text or another program', () => {
    expect(template.trimEnd().split('\n').length).toBeLessThanOrEqual(600);
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
    expect(lines).toHaveLength(7);
    for (const line of lines)
      expect(line).toMatch(/^\t+(?:echo '[^']*'|printf\( '[^']*'(?:, esc_(?:html|url|attr)\( .* \))+ \));$/);
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
    const print = `define('ABSPATH', '/'); foreach (['add_action', 'add_filter', 'register_activation_hook',
      'register_deactivation_hook', 'register_uninstall_hook'] as $name) eval("function $name() {}");
      require '${file}'; echo json_encode([Orderbeacon\\file_values(), Orderbeacon\\stub()]);`;
    expect(JSON.parse(spawnSync('php', ['-r', print], { encoding: 'utf8' }).stdout)).toEqual([
      {
        url: hostile.publicUrl,
        team: hostile.teamId,
        source: hostile.sourceUrl,
        secret: hostile.secret,
        prefix: hostile.orderIdPrefix,
      },
      stub(),
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
    const steps: Step[] = [['init'], ['admin_init'], ['admin_notices']];
    const { printed, webhooks, requests } = run({ hasWooCommerce: false }, ...steps);
    expect(printed[2]).toContain('WooCommerce is not active. Activate it.');
    expect([webhooks, requests]).toEqual([[], []]);
  });

  const recipe = ['hook', 'visitor'].map((name) => exampleOf('sdk/recipes/woocommerce.md', name)).join('\n');
  /** The recipe of shops that followed it before the plugin: it does not know the plugin. */
  const formerRecipe = recipe
    .replace(/\tif \( function_exists\( 'Orderbeacon.report' \) \) \{\n\t\treturn;\n\t\}\n/, '')
    .replace("function_exists( 'Orderbeacon\\report' ) || ", '')
    .replace(/if \( ! function_exists\( 'orderbeacon_keep_visitor' \) \) \{\n([\s\S]*?\n)\}\n/, '$1');

  it.each<[string, string, string]>([
    ['the recipe', recipe, ''],
    [
      'the recipe of former versions',
      formerRecipe,
      `<script type="application/json" id="orderbeacon-order">`,
    ],
  ])('stands beside %s, and both report once', (_, code, theirs) => {
    expect(code).toContain('orderbeacon_keep_visitor');
    const { printed, log } = run(
      { code, orders: shopOrder(723) },
      ['woocommerce_thankyou', 723],
      ['admin_notices'],
    );
    expect(log).toBe('');
    expect(printed[0]).toContain(theirs);
    expect(printed[0]!.match(/"orderId":/g)).toHaveLength(theirs ? 2 : 1);
    expect(printed[0]).toContain("\nif (!document.getElementById('orderbeacon-order'))\ntrack('order', {");
    expect(printed[1]).toContain('has the lines of the recipe, too. Remove them');
  });

  it('stands beside a second copy of itself, which does nothing but say so', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'second.php'), text);
    const { printed, log } = run({ code: `require '${folder}/second.php';` }, ['wp_head'], ['admin_notices']);
    expect(printed[0]!.match(/track\.js/g)).toHaveLength(1);
    expect(printed[1]).toContain('the plugin is active twice');
    expect(log).toBe('');
  });

  it('has names of its own alone: none that a snippet may have', () => {
    const before = `$GLOBALS['before'] = array( get_defined_functions()['user'], get_defined_constants( true )['user'] );`;
    const after = `add_action( 'names', function () {
      list( $functions, $constants ) = $GLOBALS['before'];
      echo json_encode( array( array_values( array_diff( get_defined_functions()['user'], $functions ) ), array_keys( array_diff_key( get_defined_constants( true )['user'], $constants ) ) ) );
    } );`;
    const { printed } = run({ code: before + after }, ['names']);
    const [functions, constants] = JSON.parse(printed[0]!) as [string[], string[]];
    expect(functions.filter((name) => !/^(?:orderbeacon\\|\{closure)/.test(name))).toEqual([]);
    expect(functions.length).toBeGreaterThan(20);
    expect(constants).toEqual([]);
  });

  it('gives visitor and landings to WordPress’ exporter, and to its eraser as what has no anonymous form', () => {
    const filter = (name: string) => {
      const hook = `woocommerce_privacy_${name}_order_personal_data_meta`;
      return JSON.parse(run({}, ['filter', hook, { other: 'text' }]).printed[0]!);
    };
    const names = ['other', '_orderbeacon_visitor', '_orderbeacon_landings'];
    expect(Object.keys(filter('export'))).toEqual(names);
    expect(Object.keys(filter('remove'))).toEqual(names);
    // WordPress makes an unknown kind of value an empty text, and WooCommerce removes empty values.
    expect(Object.values(filter('remove')).slice(1)).toEqual(['removed', 'removed']);
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

    it('has no “@”, because some plugins rewrite each email in a page', () => {
      const html = thankYou({ billing_first_name: 'Ann @ work' });
      expect(html).not.toContain('@');
      expect(reportIn(html)).toMatchObject({ email: 'ann@shop.example', name: 'Ann @ work Example' });
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
      const { printed, log } = runPlugin(text, { orders: { 723: { id: 723, date_paid: 'now' } } }, [
        'woocommerce_thankyou',
        723,
      ]);
      expect(printed).toEqual(['']);
      expect(log).toContain('Orderbeacon: There is no method get_status');
    });
  });

  describe('on the page that pays an order', () => {
    const query = { 'order-pay': '723', key: 'wc_order_k9HZk7Xc2' };
    const buyer = { customer: { email: 'ann@shop.example' } };
    const pay = (more: object = {}, asked: object = {}, session: Site['session'] = buyer) =>
      run({ orders: shopOrder(723, more), query: { ...query, ...asked }, session }, [
        'after_woocommerce_pay',
      ]);

    it('reports an order that was just paid, to the browser with the buyer’s email', () => {
      expect(reportIn(pay().printed[0]!)).toMatchObject({ orderId: '723', amount: 49.9 });
    });

    it('reports it to the browser that has paid it, which needs no email', () => {
      const { session } = run({ orders: shopOrder(723) }, ['woocommerce_before_pay_action', { order: 723 }]);
      expect(session.has_cookie).toBe(true);
      expect(reportIn(pay({}, {}, session).printed[0]!)).toMatchObject({ orderId: '723' });
      expect(pay({}, {}, { orderbeacon_paid: 724 }).printed).toEqual(['']);
    });

    it('reports it to its customer, who is signed in', () => {
      expect(reportIn(pay({ customer_id: 7 }, {}, {}).printed[0]!)).toMatchObject({ orderId: '723' });
    });

    it('prints nothing for a stranger with the link, as WooCommerce does', () => {
      expect(pay({}, {}, {})).toMatchObject({ printed: [''], log: '' });
      expect(pay({}, {}, { customer: { email: 'eve@shop.example' } }).printed).toEqual(['']);
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
      // WooCommerce saves the other two.
      expect(orders[723]!.is_saved ?? false).toBe(hook === 'woocommerce_before_pay_action');
    });

    it('keeps nothing without the cookies, which exist with consent alone', () => {
      const { orders } = run({ orders: shopOrder(723) }, [checkouts[0]!, { order: 723 }]);
      expect(orders[723]).not.toHaveProperty('meta');
    });

    it.each(checkouts)('%s goes on whatever happens, and PHP’s log says what', (hook) => {
      const { log, printed } = runPlugin(text, { cookies, orders: shopOrder(723, { is_broken: true }) }, [
        hook,
        { order: 723 },
      ]);
      expect(printed).toEqual(['']);
      expect(log).toContain('Orderbeacon: Another plugin broke this order. in line ');
    });
  });
});

describe.skipIf(!hasPhp)(`the webhook of the plugin, run by PHP (${needsPhp})`, () => {
  const connected = (more: Partial<Site> = {}) => run({ orders: shopOrder(723), ...more }, ['admin_init']);
  const answered = (code: number) => ({ response: { code } });
  const delivered = (site: Ended, response: unknown, order = 723, webhook = 1) =>
    run(site, ['woocommerce_webhook_delivery', {}, response, 0.1, order, webhook]);
  const notice = (site: Partial<Site>) => {
    const [html] = run(site, ['admin_notices']).printed;
    return unescaped(html!.replace(/<form[\s\S]*/, '').replace(/<[^>]*>/g, ''));
  };
  const hello = 'https://orders.shop.example/svc-api/v1/woocommerce/hello/src_abc';
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
    const site = connected();
    expect(Object.values(site.webhooks)).toMatchObject([made]);
    expect(site.requests).toMatchObject([{ url: hello, body: '{"home":"https:\\/\\/shop.example"}' }]);
    const again = run(site, ['admin_init']);
    expect([Object.keys(again.webhooks), again.requests]).toEqual([['1'], []]);
    expect(connected({ user: 8 })).toMatchObject({ webhooks: [], options: [] });
  });

  it('is tried with a word that is signed as orders are', () => {
    const { requests, webhooks } = connected();
    const [{ body, headers }] = requests as [Ended['requests'][0]];
    const [signature] = run({ webhooks }, ['sign', 1, body]).printed;
    expect(headers).toEqual({ 'Content-Type': 'application/json', 'X-WC-Webhook-Signature': signature });
    const refused = connected({ answer: { status: 401 } });
    expect(notice(refused)).toContain('The server knows another secret or source.');
    const again = run({ ...refused, answer: { status: 401 } }, ['admin_post_orderbeacon_connect']);
    expect(notice(again)).toContain('The server knows another secret or source.');
    expect(run(again, ['admin_notices']).printed[0]).not.toContain('<button');
  });

  it.each<[string, Partial<Site>, Step]>([
    ['by WP-CLI, which is no user', { user: 0 }, ['activate']],
    [
      'by WP-CLI, which is no user, for one site of a network',
      { user: 0, network: 'site' },
      ['activate', false],
    ],
    [
      'by a deploy, after which WP-Cron runs',
      { user: 0, cron: ['orderbeacon_connect'] },
      ['orderbeacon_connect'],
    ],
  ])('is made where the plugin is activated %s, as an administrator', (_, site, step) => {
    const { webhooks, requests } = run(site, step);
    expect(Object.values(webhooks)).toMatchObject([made]);
    expect(requests).toHaveLength(1);
  });

  it('is left to WP-Cron by a visitor’s page, once, and only until it is made', () => {
    const site = run({ user: 0 }, ['init']);
    expect([site.cron, site.webhooks, site.requests]).toEqual([['orderbeacon_connect'], [], []]);
    expect(run(site, ['init']).cron).toEqual(site.cron);
    expect(run(connected(), ['init']).cron).toEqual([]);
    expect(run({ hasWooCommerce: false }, ['init']).cron).toEqual([]);
  });

  it.each<[string, number]>([
    ['before', 1],
    ['after', 9],
  ])('is one, where a request at the same time has made another one %s it', (_, id) => {
    const other = `array( 'id' => ${id}, 'status' => 'active', 'secret' => 'f00d', 'user_id' => 7, 'delivery_url' => '${values.sourceUrl}' )`;
    const code = `add_action( 'woocommerce_new_webhook', function () {
      $GLOBALS['world']['webhooks'][${id}] = ${other};
      ksort( $GLOBALS['world']['webhooks'] );
    } );`;
    const unrelated = { 2: { ...made, id: 2, delivery_url: 'https://warehouse.example' } };
    const site = connected({ code, webhooks: unrelated });
    expect(Object.keys(site.webhooks)).toEqual(id === 1 ? ['1', '2'] : ['2', '3']);
    expect(notice({ ...site, code: '' })).toContain('connected.');
    const off = run({ ...site, code: '' }, ['deactivate']);
    expect(
      Object.values(off.webhooks)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['active', 'paused']);
  });

  it('takes over those of former versions and those that were made by hand', () => {
    const byHand = { ...made, id: 4, name: 'By hand', secret: 'old' };
    const site = connected({
      webhooks: { 3: { ...made, id: 3 }, 4: byHand },
      options: { orderbeacon_webhook: 4 },
    });
    expect(Object.values(site.webhooks)).toMatchObject([{ ...made, id: 3 }]);
    expect(Object.keys(site.options)).toEqual(['orderbeacon_connection', 'orderbeacon_state']);
  });

  it('gets the secret of a plugin that takes the place of this one', () => {
    const other = fillPlugin({ ...values, secret: 'beef' });
    const site = runPlugin(other, connected(), ['admin_init']);
    expect(Object.values(site.webhooks)).toMatchObject([{ ...made, secret: 'beef' }]);
  });

  it('says that it works, with the last paid order', () => {
    const site = connected();
    expect(notice(site)).toBe('Orderbeacon: connected. The next paid order shows here.');
    const received = delivered(site, answered(200));
    expect(notice(received)).toMatch(/^Orderbeacon: connected, last order 723, \d+ seconds ago\.$/);
    expect(notice({ ...received, screen: 'dashboard' })).toBe('');
    expect(notice({ ...received, user: 8 })).toBe('');
  });

  it('does not take an order that is not paid, or another webhook, for its own word', () => {
    const site = connected({ orders: shopOrder(723, { date_paid: null }) });
    expect(notice(delivered(site, answered(200)))).toContain('The next paid order');
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
    const site = delivered(connected(), response);
    expect(notice({ ...site, screen: 'dashboard' })).toContain(words);
    expect(run(site, ['admin_notices']).printed[0]).not.toContain('<b>');
    expect(notice(delivered(site, answered(200)))).toContain('connected, last order 723');
  });

  it('says that the server cannot be reached as soon as it is made', () => {
    const site = connected({ answer: { unreachable: 'no such host' } });
    expect(notice(site)).toBe('Orderbeacon: The server cannot be reached: no such host');
  });

  it('says a fault also where WooCommerce hides the notices of WordPress, until it is over', () => {
    const site = run(delivered(connected(), answered(503)), ['admin_init']);
    expect(site.notes).toEqual({ orderbeacon: 'The server answered with the status 503.' });
    expect(run(delivered(site, answered(200)), ['admin_init']).notes).toEqual([]);
    expect(run(site, ['deactivate']).notes).toEqual([]);
  });

  describe('with an answer that names what the shop lacks', () => {
    const lacking = (data: object) => connected({ answer: { status: 200, data } });
    const links = (site: Partial<Site>) =>
      [...run(site, ['admin_notices']).printed[0]!.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(
        ([, href, words]) => [unescaped(href!), words],
      );

    it('leads to Setup, where the domain is allowed, and to WooCommerce’s page for a key', () => {
      const site = lacking({ isAllowed: false, ask: 'team_a.src_b.1.c' });
      expect(links(site)).toEqual([
        [
          `${values.publicUrl}/console/${values.teamId}/setup/install?platform=woocommerce`,
          'Allow them in Setup',
        ],
        [expect.stringContaining('/wc-auth/v1/authorize?'), 'Let Orderbeacon read such orders'],
      ]);
      const page = new URL(links(site)[1]![0]!);
      expect([page.origin, Object.fromEntries(page.searchParams)]).toEqual([
        'https://shop.example',
        {
          app_name: 'Orderbeacon',
          scope: 'read',
          user_id: 'team_a.src_b.1.c',
          return_url: 'https://shop.example/wp-admin/plugins.php',
          callback_url: 'https://orders.shop.example/svc-api/v1/woocommerce/key',
        },
      ]);
      expect(notice(site)).toContain('connected.');
      expect(links({ ...site, screen: 'dashboard' })).toEqual([]);
    });

    it('asks again while something is missing, and says nothing more once nothing is', () => {
      const site = lacking({ isAllowed: false, ask: null });
      const state = site.options.orderbeacon_state as object;
      const later = { ...site, options: { ...site.options, orderbeacon_state: { ...state, tried: 1 } } };
      expect(run({ ...later, screen: 'dashboard' }, ['admin_init']).requests).toEqual([]);
      const done = run({ ...later, answer: { status: 200, data: { isAllowed: true, ask: null } } }, [
        'admin_init',
      ]);
      expect(done.requests).toHaveLength(1);
      expect(links(done)).toEqual([]);
    });
  });

  it.each<[string, (site: Ended) => Partial<Site>, string]>([
    ['is gone', (site) => ({ ...site, webhooks: {} }), 'The webhook is not there. Connect again.'],
    [
      'is switched off',
      (site) => ({ ...site, webhooks: { 1: { ...site.webhooks[1]!, status: 'disabled' } } }),
      'The webhook is switched off, as WooCommerce does after some failures. Connect again.',
    ],
    [
      'was made by somebody who is gone',
      (site) => ({ ...site, user: 9, rights: { 9: ['manage_woocommerce'] } }),
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
    expect(notice(again)).toContain('connected.');
  });

  it('is not made again by the form of another site, or by somebody without the right', () => {
    for (const who of [{ hasNonce: false }, { user: 8 }])
      expect(run(who, ['admin_post_orderbeacon_connect'])).toMatchObject({ webhooks: [], options: [] });
  });

  const other = { 5: { ...made, id: 5, name: 'Warehouse', delivery_url: 'https://warehouse.example' } };

  it('is paused with the plugin, and goes with it, and with it all that it remembered', () => {
    const site = connected({ webhooks: other, options: { other: 1 } });
    const off = run(site, ['deactivate']);
    expect(Object.values(off.webhooks)).toMatchObject([other[5], { ...made, status: 'paused' }]);
    const { webhooks, options } = run(off, ['uninstall']);
    expect([Object.values(webhooks), options]).toEqual([[other[5]], { other: 1 }]);
  });

  it('delivers what waits, whenever the plugin is deactivated, activated or deleted', () => {
    const queue = [
      { webhook_id: 1, arg: 723 },
      { webhook_id: 5, arg: 724 },
    ];
    const site = connected({ queue });
    const off = run(site, ['deactivate']);
    expect(run(off, ['activate'], ['drain']).requests).toMatchObject([{ url: hello }, { body: '723' }]);
    const gone = run(off, ['uninstall']);
    expect(gone.requests).toMatchObject([{ url: values.sourceUrl, body: '723' }]);
    expect(gone.queue).toEqual([queue[1]]);
    // A server that does not answer delays the deletion only once.
    const away = run({ ...off, answer: { status: 503 }, queue: [queue[0]!, { webhook_id: 1, arg: 725 }] }, [
      'uninstall',
    ]);
    expect(away.requests).toHaveLength(1);
    expect(away.webhooks).toEqual([]);
  });

  it('queues what changed since the last delivery, while the plugin or its webhook was off', () => {
    const site = delivered(connected(), answered(200));
    const at = Math.floor(Date.now() / 1000);
    const orders = {
      ...shopOrder(723, { modified: at - 9_000 }),
      ...shopOrder(730, { modified: at + 1 }),
      ...shopOrder(731, { modified: at + 1 }),
    };
    const queue = [{ webhook_id: 1, arg: 731 }];
    const off = run({ ...site, orders, queue }, ['deactivate']);
    expect(run(off, ['activate']).queue).toEqual([...queue, { webhook_id: 1, arg: 730 }]);
    expect(connected({ orders: shopOrder(723, { modified: at - 9_000 }) }).queue).toEqual([]);
  });

  it('leaves nothing that breaks WordPress where WooCommerce was removed before', () => {
    const { options } = run({ ...connected(), hasWooCommerce: false }, ['deactivate'], ['uninstall']);
    expect(options).toEqual([]);
  });
});
