import { expect } from 'vitest';
import { test } from '../kit/shop.js';

test('the order of a page inside an app is refused, kept, and stored once its origin is allowed', async ({
  shop,
}) => {
  const origin = 'capacitor://localhost';
  const refused = await shop.report({ orderId: 'A-1' }, { origin });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'domain_not_allowed']);
  expect(await shop.refused()).toMatchObject([{ host: origin, orderId: 'A-1' }]);

  await shop.command('domain', 'add', origin);
  await shop.command('refused', 'replay', '--host', origin);
  expect(await shop.stored()).toMatchObject([{ orderId: 'A-1', host: origin, isTest: false }]);

  const { status, headers } = await shop.report({ orderId: 'A-2' }, { origin });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, origin]);
});

test('a browser that asks for an icon by the old name gets it', async ({ server }) => {
  const answer = await fetch(`${server.url}/favicon.ico`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});
