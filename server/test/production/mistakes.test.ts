// @module-tag long
import { expect, it } from 'vitest';
import { isMissing, type WebServer } from '../kit/webServers.js';
import { type Mistake, openWay } from './openWay.js';

/** Replaces a text that must exist. So a mistake cannot be lost when the guide's line changes. */
const change =
  (from: string | RegExp, to: string): Mistake =>
  (config) => {
    const changed = config.replace(from, to);
    if (changed === config) throw new Error(`The configuration has no ${from}.`);
    return changed;
  };

/** Configurations with one wrong line each, and the doctor's finding. */
const mistakes: [
  name: WebServer,
  mistake: string,
  given: {
    mistake?: Mistake;
    shopMistake?: Mistake;
    isBehindShop?: boolean;
    publicUrl?: Mistake;
    env?: Record<string, string>;
  },
  check: string,
  said: RegExp,
][] = [
  [
    'nginx',
    'the leaf certificate alone',
    { mistake: change('fullchain.pem', 'cert.pem') },
    'TLS',
    /certificate alone/,
  ],
  ['nginx', 'no TLS', { mistake: change(/(listen \S+) ssl;/, '$1;') }, 'TLS', /speaks no TLS/],
  [
    'nginx',
    'another port behind it',
    { mistake: change(/(proxy_pass http:\/\/127.0.0.1:)\d+/, '$11') },
    'public URL',
    /answers 502/,
  ],
  [
    'nginx',
    'no X-Forwarded-For',
    { mistake: change(/proxy_set_header X-Forwarded-For.*/, '') },
    'proxies',
    /sends no X-Forwarded-For/,
  ],
  [
    'nginx',
    'a count of proxies that is too low',
    { env: { ORDERBEACON_TRUST_PROXY: '0' } },
    'proxies',
    /all buyers count as the proxy/,
  ],
  [
    'nginx',
    'a count of proxies that is too high',
    { env: { ORDERBEACON_TRUST_PROXY: '2' } },
    'proxies',
    /claim any address/,
  ],
  [
    'nginx',
    'a public URL with http',
    { publicUrl: change('https:', 'http:') },
    'public URL',
    /begins with http:/,
  ],
  [
    'caddy',
    'the leaf certificate alone',
    { mistake: change('fullchain.pem', 'cert.pem') },
    'TLS',
    /certificate alone/,
  ],
  [
    'caddy',
    'another port behind it',
    { mistake: change(/(reverse_proxy 127.0.0.1:)\d+/, '$11') },
    'public URL',
    /answers 502/,
  ],
  [
    'caddy',
    'no X-Forwarded-For',
    { mistake: change(/(reverse_proxy \S+)/, '$1 {\nheader_up -X-Forwarded-For\n}') },
    'proxies',
    /sends no X-Forwarded-For/,
  ],
  [
    'nginx',
    'another path at the shop',
    { isBehindShop: true, shopMistake: change('location /shop-orders/', 'location /orders/') },
    'script',
    /404/,
  ],
];

for (const [name, mistake, given, check, stated] of mistakes) {
  it.skipIf(isMissing(name))(`doctor is red where ${name} has ${mistake}`, async () => {
    const { examine } = await openWay(name, given);
    const tag =
      '<script async src="/shop-orders/sdk/track.js" data-team-id="team_x" data-endpoint="/shop-orders"></script>';
    const { of } = await examine(given.isBehindShop ? tag : undefined);
    expect(of(check)).toMatchObject({
      ok: false,
      message: expect.stringMatching(stated),
      fix: expect.any(String),
    });
  });
}
