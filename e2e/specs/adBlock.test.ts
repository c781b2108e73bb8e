import { expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { setUpShop } from '../harness/shop.ts';

/**
 * Filters of the kinds that ad blockers' lists have (Adblock Plus syntax), written for this test after the
 * filters that stop similar products. Each has an address that it must match, so that each is tested.
 */
const filters: [filter: string, peer: string][] = [
  ['||analytics.', 'https://analytics.shop.example/script.js'],
  ['||beacon.', 'https://beacon.shop.example/v1'],
  ['||metrics.', 'https://metrics.shop.example/b/ss'],
  ['||pixel.', 'https://pixel.shop.example/p'],
  ['||tracking.', 'https://tracking.shop.example/x'],
  ['||tracker.', 'https://tracker.shop.example/x'],
  ['||stats.', 'https://stats.shop.example/x'],
  ['||t.*/track^', 'https://t.shop.example/track?x=1'],
  ['/analytics.js', 'https://cdn.example/analytics.js'],
  ['/analytics/*', 'https://shop.example/analytics/v2'],
  ['/matomo.js', 'https://shop.example/matomo.js'],
  ['/matomo.php', 'https://shop.example/matomo.php?idsite=1'],
  ['/piwik.', 'https://shop.example/piwik.php'],
  ['/umami.js', 'https://shop.example/umami.js'],
  ['/js/plausible.', 'https://shop.example/js/plausible.outbound.js'],
  ['/api/event^$~document', 'https://shop.example/api/event'],
  ['/collect?', 'https://shop.example/collect?v=2'],
  ['/g/collect^', 'https://shop.example/g/collect?tid=1'],
  ['/gtm.js', 'https://shop.example/gtm.js?id=1'],
  ['/gtag/js^', 'https://shop.example/gtag/js?id=1'],
  ['/pixel.js', 'https://shop.example/pixel.js'],
  ['/pixel.gif', 'https://shop.example/pixel.gif'],
  ['/beacon.js', 'https://shop.example/static/beacon.js'],
  ['/beacon/*', 'https://shop.example/beacon/1'],
  ['/tracking.js', 'https://shop.example/tracking.js'],
  ['/tracker.js', 'https://shop.example/tracker.js'],
  ['/track?', 'https://shop.example/track?e=1'],
  ['/track/*', 'https://shop.example/track/open'],
  ['/track.gif', 'https://shop.example/track.gif'],
  ['/track.php', 'https://shop.example/track.php?x'],
  ['/event/track', 'https://shop.example/event/track'],
  ['/v1/track^', 'https://api.example/v1/track'],
  ['/conversion.js', 'https://shop.example/conversion.js'],
  ['/telemetry/*', 'https://shop.example/telemetry/v1'],
  ['/ping^$ping', 'https://shop.example/ping'],
  ['-tracking.', 'https://shop.example/order-tracking.min.js'],
  ['_tracker.', 'https://shop.example/page_tracker.js'],
  ['&visitor_id=', 'https://shop.example/x?a=1&visitor_id=2'],
  ['?event=purchase', 'https://shop.example/x?event=purchase'],
  ['^utm_source=', 'https://shop.example/x?utm_source=1'],
  ['|https://*.cdn.example/sdk.js|', 'https://eu.cdn.example/sdk.js'],
];

const separator = '(?:[^\\w.%-]|$)';

/** The address pattern of a filter: `||` is a host's beginning, `|` an end, `^` a separator, `*` anything. */
function patternOf(filter: string): RegExp {
  const [text = ''] = filter.split('$');
  const source = text
    .replace(/[.+?{}()[\]\\$]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('^', separator)
    .replace(/^\|\|/, '^https?://(?:[^/]+\\.)?')
    .replace(/^\|/, '^')
    .replace(/\|$/, '$');
  return new RegExp(source);
}

const shop = await setUpShop();
const browser = setUpChromium();

it('each filter stops the peer that it is written after', () => {
  for (const [filter, peer] of filters) expect(patternOf(filter).test(peer), filter).toBe(true);
});

it('no filter matches the script, nor what it sends, from another site and from the shop’s own host', async () => {
  const tab = await browser.newTab();
  await tab.goto(`${shop.page('/thanks', 'confirmation.html')}?name=ad-block`);
  await shop.expectStoredOnce(['ad-block']);
  const seen = new Set(shop.network.seen.map(({ url }) => url));
  expect([...seen]).toEqual(['/sdk/track.js', '/svc-api/v1/orders']);
  const addresses = [
    'https://orders.shop.example',
    'https://shop.example/shop-orders',
    'http://127.0.0.1:8787',
  ].flatMap((endpoint) =>
    [...seen, `/sdk/track.js?team=${shop.teamId}`, '/sdk/1.2.3/track.js'].map((path) => endpoint + path),
  );
  for (const address of addresses) {
    expect(filters.filter(([filter]) => patternOf(filter).test(address)).map(([filter]) => filter)).toEqual(
      [],
    );
  }
});

it('an order goes by fetch: lists that stop beacons to other sites do not meet it', async () => {
  const tab = await browser.newTab();
  const head = '<script>window.beacons = 0; navigator.sendBeacon = () => { beacons++; return true }</script>';
  await tab.goto(`${shop.page('/fetch', 'confirmation.html', { head })}?name=by-fetch`);
  await shop.expectStoredOnce(['by-fetch']);
  expect(await tab.run('return beacons')).toBe(0);
});

it('the host names that the guides warn about are the ones that lists stop', () => {
  const isStopped = (host: string) =>
    filters.some(([filter]) => patternOf(filter).test(`https://${host}/sdk/track.js`));
  expect(['analytics.shop.example', 'beacon.shop.example'].map(isStopped)).toEqual([true, true]);
  expect(isStopped('orders.shop.example')).toBe(false);
});
