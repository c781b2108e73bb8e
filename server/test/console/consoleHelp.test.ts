import { expect } from 'vitest';
import { test } from '../kit/shop.js';

test.for([
  ['/console', '/docs/merchants'],
  ['/console/orders', '/docs/merchants'],
  ['/console/refused', '/docs/errors/domain_not_allowed'],
  ['/console/webhooks', '/docs/webhooks'],
  ['/console/setup/sources', '/docs/sources'],
  ['/console/setup/install', '/docs/sdk/debugging'],
] as const)('%s leads to %s', async ([path, help], { shop }) => {
  await shop.report({}, { origin: 'https://other.example' });
  await shop.report({ amount: 'much' });
  const { status, text } = await (await shop.console()).get(path);
  const links = [...text.matchAll(/ href="([^"]*\/docs\/[^"]*)"/g)].map(([, link]) => link!);
  expect([status, links]).toEqual([200, expect.arrayContaining([help])]);
});
