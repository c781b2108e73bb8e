// @module-tag all
import { describe, expect, it } from 'vitest';
import { fillPlugin } from '../../../src/features/wooPlugin/zipPlugin.js';
import {
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

describe.skipIf(!hasPhp)(`a copy of a shop, run by PHP (${needsPhp})`, () => {
  const orders = shopOrder(723);
  const shop = () => run({ orders }, ['admin_init']);
  const steps: Step[] = [
    ['wp_head'],
    ['woocommerce_thankyou', 723],
    ['drain'],
    ['admin_init'],
    ['admin_notices'],
  ];
  const queue = [{ webhook_id: 1, arg: 723 }];
  /** Copies a site as tools do: they replace its address everywhere in the database. */
  const copyAt = (home: string): Site =>
    JSON.parse(
      JSON.stringify({ ...shop(), queue }).replaceAll(
        'shop.example',
        new URL(home).host + new URL(home).pathname.replace(/\/$/, ''),
      ),
    );

  it.each([
    'https://staging.shop.example',
    'http://localhost:8080',
    'https://shop.example.staging.host.example/',
    'https://shop.example/staging',
  ])('at %s reports nothing, whatever waits there, and says so', (home) => {
    const { printed, requests, notes, webhooks } = run({ ...copyAt(home), home }, ...steps);
    expect([printed[0], printed[1], requests]).toEqual(['', '', []]);
    expect(printed[4]).toContain('This is a copy of shop.example, so it reports nothing.');
    expect(notes.orderbeacon).toContain('This is a copy of shop.example');
    expect(Object.values(webhooks)).toHaveLength(1);
    expect(
      run({ ...copyAt(home), home, user: 0 }, ['init'], ['orderbeacon_connect'], ['activate']),
    ).toMatchObject({
      cron: [],
      requests: [],
    });
  });

  it.each([
    'https://www.shop.example',
    'http://shop.example',
    'https://SHOP.example/',
    'https://shop.example:8443',
    'http://',
    '',
  ])('is none at %j', (home) => {
    const { printed, requests } = run({ ...shop(), home, queue }, ...steps);
    expect(printed[0]).toContain('track.js');
    expect(reportIn(printed[1]!)).toMatchObject({ orderId: '723' });
    expect(requests).toHaveLength(1);
    expect(printed[4]).not.toContain('copy');
  });

  it('is known by the constant WP_HOME, too', () => {
    const code = `define( 'WP_HOME', 'https://staging.shop.example' );`;
    expect(run({ ...shop(), code }, ['wp_head']).printed).toEqual(['']);
  });

  it('is a shop of its own with the plugin of another source', () => {
    const own = fillPlugin({ ...values, sourceUrl: values.sourceUrl.replace('src_abc', 'src_copy') });
    const home = 'https://staging.shop.example';
    const copy = runPlugin(own, { ...copyAt(home), home, queue: [] }, ['admin_init']);
    expect(Object.values(copy.webhooks)).toMatchObject([
      { id: 1, delivery_url: expect.stringMatching(/src_copy$/) },
    ]);
    expect(runPlugin(own, copy, ['wp_head']).printed[0]).toContain('track.js');
    // A new secret for the shop's source does not connect the copy.
    const renewed = fillPlugin({ ...values, secret: 'beef' });
    expect(runPlugin(renewed, { ...copyAt(home), home, queue: [] }, ['admin_init']).requests).toEqual([]);
  });

  it('is the shop itself where somebody says that it has moved', () => {
    const home = 'https://moved.example';
    expect(run({ ...shop(), home }, ['admin_notices']).printed[0]).toContain(
      'The shop has moved here</button>',
    );
    const moved = run({ ...shop(), home }, ['admin_post_orderbeacon_connect']);
    expect(moved.requests).toMatchObject([{ body: expect.stringContaining('moved.example') }]);
    expect(run(moved, ['wp_head']).printed[0]).toContain('track.js');
  });
});

describe.skipIf(!hasPhp)(`a network of sites, run by PHP (${needsPhp})`, () => {
  const [ofA, ofB] = ['a', 'b'].map((name) => ({
    ...values,
    teamId: `team_${name}`,
    sourceUrl: values.sourceUrl.replace('abc', name),
    secret: `secret of ${name}`,
  }));
  const site = { network: 'site', orders: shopOrder(723) } as const;
  const a = () => runPlugin(fillPlugin(ofA!), site, ['admin_init']);

  it('keeps the values of each shop, whose sites share one file', () => {
    const fileOfB = fillPlugin(ofB!);
    const b = runPlugin(fileOfB, { ...site, home: 'https://b.example' }, ['admin_init']);
    expect(Object.values(b.webhooks)).toMatchObject([
      { delivery_url: ofB!.sourceUrl, secret: 'secret of b' },
    ]);
    const after = runPlugin(fileOfB, a(), ['init'], ['admin_init'], ['wp_head']);
    expect([after.cron, after.requests]).toEqual([[], []]);
    expect(Object.values(after.webhooks)).toMatchObject([
      { delivery_url: ofA!.sourceUrl, secret: 'secret of a' },
    ]);
    expect(after.printed[2]).toContain('data-team-id="team_a"');
    const renewed = runPlugin(fillPlugin({ ...ofA!, secret: 'new' }), after, ['admin_init']);
    expect(Object.values(renewed.webhooks)).toMatchObject([{ delivery_url: ofA!.sourceUrl, secret: 'new' }]);
  });

  it('connects a shop whose source was removed by the file of its new one, at a press', () => {
    const fileOfB = fillPlugin(ofB!);
    const refused = runPlugin(fileOfB, a(), [
      'woocommerce_webhook_delivery',
      {},
      { response: { code: 404 } },
      0.1,
      723,
      1,
    ]);
    expect(runPlugin(fileOfB, refused, ['admin_notices']).printed[0]).toContain(
      'Connect by the uploaded file',
    );
    const again = runPlugin(fileOfB, refused, ['admin_post_orderbeacon_connect'], ['wp_head']);
    expect(Object.values(again.webhooks)).toMatchObject([{ delivery_url: ofB!.sourceUrl }]);
  });

  it('reports nothing where the plugin is active for all of it, and says what to do', () => {
    const all = { ...site, network: 'all' } as const;
    const { printed, webhooks, cron } = run(
      all,
      ['activate', true],
      ['init'],
      ['admin_init'],
      ['wp_head'],
      ['admin_notices'],
    );
    expect([webhooks, cron, printed[3]]).toEqual([[], [], '']);
    expect(printed[4]).toContain('Activate it in each shop by itself instead');
    expect(run({ ...site }, ['activate', true]).webhooks).toEqual([]);
  });
});
