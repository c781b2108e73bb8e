import { expect, test } from 'vitest';

/**
 * Filters of the kinds that ad blockers' lists have (Adblock Plus syntax). They were written for this test, after the filters
 * that stop similar products.
 */
const filters = `
  ||analytics. ||beacon. ||metrics. ||pixel. ||tracking. ||tracker. ||stats. ||t.*/track^
  /analytics.js /analytics/* /matomo.js /matomo.php /piwik. /umami.js /js/plausible.
  /api/event^$~document /collect? /g/collect^ /gtm.js /gtag/js^ /pixel.js /pixel.gif
  /beacon.js /beacon/* /tracking.js /tracker.js /track? /track/* /track.gif /track.php
  /event/track /v1/track^ /conversion.js /telemetry/* /ping^$ping -tracking. _tracker.
  &visitor_id= ?event=purchase ^utm_source= |https://*.cdn.example/sdk.js|`
  .trim()
  .split(/\s+/);

const separator = '(?:[^\\w.%-]|$)';

/** Compiles a filter to a pattern: `||` is a host's beginning, `|` an end, `^` a separator, `*` anything. */
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

const stops = (address: string) => filters.filter((filter) => patternOf(filter).test(address));

test('no filter matches the script, nor what it sends, from another site and from the shop’s own host', () => {
  const team = 'team_01h455vb4pex5vsknk084sn02q';
  const paths = [
    'sdk/track.js',
    `sdk/track.js?team=${team}`,
    'sdk/1.2.3/track.js',
    'svc-api/v1/orders',
    'svc-api/v1/orders?1764180000000',
  ];
  const hosts = ['https://orders.shop.example', 'https://shop.example/shop-orders', 'http://127.0.0.1:8787'];
  for (const host of hosts)
    for (const path of paths) expect([path, ...stops(`${host}/${path}`)]).toEqual([path]);
});

test('the host names that the guides warn about are the ones that lists stop', () => {
  expect(stops('https://analytics.shop.example/sdk/track.js')).toEqual(['||analytics.']);
  expect(stops('https://beacon.shop.example/sdk/track.js')).toEqual(['||beacon.']);
});
