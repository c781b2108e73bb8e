import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutFloatNoise } from '../../src/values/decimal.js';
import { amountAtMost } from '../../src/values/limits.js';

describe('an amount', () => {
  it('that is whole stays as it is, also where a float of 32 bits holds it', () => {
    // Amounts in the currencies of Vietnam, Indonesia and Lebanon.
    for (const whole of [12_345_678_848, 99_999_997_952, 549_756_928_000, amountAtMost])
      expect(withoutFloatNoise(whole)).toBe(whole);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: amountAtMost / 1024 }), (part) => {
        expect(withoutFloatNoise(part * 1024)).toBe(part * 1024);
      }),
    );
  });

  it.each([
    [17.9 + 5.95, 23.85],
    [49.900001525878906, 49.9],
    [1234.56005859375, 1234.56],
    [1.01171875, 1.01171875],
    [1234567.125, 1234567.125],
  ])('is without what floating point has added: %d', (sent, plain) => {
    expect(withoutFloatNoise(sent)).toBe(plain);
  });
});
