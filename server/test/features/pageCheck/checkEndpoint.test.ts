import { expect, it } from 'vitest';
import { checkEndpoint } from '../../../src/features/pageCheck/checkEndpoint.js';
import type { Tag } from '../../../src/features/pageCheck/findTags.js';
import type { PageContext } from '../../../src/features/pageCheck/pageContext.js';
import type { SeenProxies } from '../../../src/http/trustedProxies.js';

const publicUrl = 'https://orders.shop.example';
const endpoint = 'https://shop.example/shop-orders';
const list = (seen: number, trusted: number): SeenProxies => ({ seen, trusted, isList: true });

/** Checks a tag whose reports go through the shop's own host. The server sees these proxies on each way. */
const check = (own: SeenProxies, direct: SeenProxies) =>
  checkEndpoint({ endpoint } as Tag, 'https://shop.example/thanks', {
    publicUrl,
    fixes: {} as PageContext['fixes'],
    async fetchText(url) {
      if (url === `${endpoint}/svc-api/v1/orders`)
        return { status: 405, headers: new Headers(), text: '{"error":{"code":"method_not_allowed"}}' };
      const data = url.startsWith(publicUrl) ? direct : own;
      return { status: 200, headers: new Headers(), text: JSON.stringify({ success: true, data }) };
    },
  });

it.each([
  ['sees the buyer on both ways', list(2, 2), list(1, 1), true],
  ['sees the shop’s web server in the buyer’s place', list(1, 2), list(1, 1), false],
  ['may see this machine, which is a proxy, too', list(1, 2), list(1, 2), true],
  ['knows one of two proxies', list(2, 1), list(1, 1), false],
])('a server that %s: %o on the shop’s way, %o directly', async (_, own, direct, ok) => {
  expect((await check(own, direct)).ok).toBe(ok);
});

it('the buyer who is lost on the way is named, with the lines that keep the address', async () => {
  expect(await check(list(1, 2), list(1, 1))).toMatchObject({
    message: expect.stringContaining('address is lost on the way'),
    fix: expect.stringContaining('trusted_proxies'),
  });
});
