import { expect } from 'vitest';
import { test } from '../kit/shop.js';

test.for([
  ['/console/setup/install/check', '/setup/install#check', 'A check is not kept. Check the page again.'],
  ['/console/compare/store', '/compare', 'Nothing of a file is kept. Choose it again.'],
] as const)('a reload of %s leads to its form, and says so', async ([path, to, words], { shop }) => {
  const { get, home, cookie } = await shop.console();
  const { headers } = await get(path);
  expect(headers.get('location')).toBe(`${home}${to}`);
  const given = (headers.get('set-cookie') ?? '').split(';')[0];
  expect((await get(`${home}${to}`, { cookie: `${cookie}; ${given}` })).text).toContain(words);
});
