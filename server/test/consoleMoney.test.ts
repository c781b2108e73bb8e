import { expect } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { test } from './shop.js';

test.for([
  ['BHD', [1.234, 0.001], 'BHD 1.235'],
  ['USDC', [0.000125, 0.1, 0.2], '0.300125 USDC'],
  ['USD', [0.1, 0.2, 1e12], '$1,000,000,000,000.30'],
] as const)(
  'the money in %s is to the digit that of its orders, in all and by time',
  async ([currency, amounts, sum], { shop }) => {
    for (const amount of amounts) await shop.report({ amount, currency });
    const text = await (await shop.console()).read(`/console?show=gross&currency=${currency}`);
    // In the tiles of gross and net, in the chart's bar, and in the table those of pages that day, and all together.
    expect(text.split(sum)).toHaveLength(6);
  },
);

test.for(['12345678901234567890', '0.12345678901234567890', '9007199254740993'])(
  'the corrected amount %s, which a number cannot keep to the digit, is refused by name and not rounded',
  async (amount, { shop }) => {
    await shop.report({ amount: 'much' });
    const { submit } = await shop.console();
    const id = encodeId('ref', (await shop.refused())[0]!.id);
    const refused = await submit('/console/refused/correct', { id, amount });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/amount.*15 significant digits/s),
    ]);
    expect(refused.text).toContain(`value="${amount}"`);
    expect(await shop.stored()).toEqual([]);
    await submit('/console/refused/correct', { id, amount: '123456789012.345' });
    expect(await shop.stored()).toMatchObject([{ amount: '123456789012.345' }]);
  },
);
