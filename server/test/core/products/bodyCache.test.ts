import { expect, it } from 'vitest';
import { createBodyCache } from '../../../src/core/products/bodyCache.js';

it('a body that many callers fetched together is kept and compressed once', async () => {
  const cache = createBodyCache(100_000);
  const text = 'a product '.repeat(1_000);
  const [first, ...others] = Array.from({ length: 20 }, () => cache.set('team/t-shirt', '"1"', text));
  expect(others.every((body) => body === first)).toBe(true);
  await expect.poll(() => first!.gzip?.byteLength ?? 0).toBeGreaterThan(0);
  expect(cache.set('team/t-shirt', '"2"', text)).not.toBe(first);
});
