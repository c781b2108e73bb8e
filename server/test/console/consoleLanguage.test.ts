import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAmount, writeAmount } from '../../src/console/parts/amounts.js';
import { encodeId } from '../../src/values/ids.js';
import { textOf } from '../kit/html.js';
import { test } from '../kit/shop.js';

it.each([
  ['de', '49,90', 49.9],
  ['de', '1.234', 1234],
  ['de', '1.234.567,89', 1_234_567.89],
  ['de', '1234.50', 1234.5],
  ['de', '1,234.50', null],
  ['de', '1.23.456', null],
  ['en', '1.234', 1.234],
  ['en', '1,234', 1234],
  ['en', '1,234.50', 1234.5],
  ['en', '49,90', 49.9],
  ['en', '49,900', 49900],
  ['en', '-1', null],
  ['en', '', null],
  ['en', '12345678901234567890', null],
  ['en-IN', '12,34,567.5', 1_234_567.5],
  ['fr', '1\u202f234,5', 1234.5],
  ['fr', '1 234,5', 1234.5],
  ['de-CH', "1'234.50", 1234.5],
  ['ar-EG', '١٬٢٣٤٫٥', 1234.5],
  ['ar-EG', '1234.5', 1234.5],
] as const)('a reader of %s who types %s means %j', (locale, typed, amount) => {
  expect(readAmount(typed, locale)).toBe(amount);
});

it('what is filled in for a reader of any language is read as the same amount', () => {
  const exact = fc.tuple(fc.nat(999_999_999_999), fc.nat(999)).map(([whole, part]) => `${whole}.${part}`);
  fc.assert(
    fc.property(fc.constantFrom('en', 'de', 'fr', 'de-CH', 'ar-EG', 'hi-IN', 'sv'), exact, (locale, text) => {
      expect(readAmount(writeAmount(String(Number(text)), 'USD', locale), locale)).toBe(Number(text));
    }),
  );
});

test('numbers and money are in the language that the browser prefers and Node knows, and dates in English', async ({
  shop,
}) => {
  const { body } = await shop.report({
    amount: 6713.68,
    items: [{ sku: '1.5', price: 1.125, quantity: 1000 }],
  });
  await shop.sql`update placed_order set created_at = '2026-05-01 14:02:07Z' where team_id = ${shop.team}`;
  const { get } = await shop.console();
  /** Reads the visible text of the order's page, and the titles that appear when the mouse points at something. */
  async function order(language: string) {
    const { text } = await get(`/console/orders/${body.data.id}`, { 'accept-language': language });
    return textOf(text) + text.replace(/\s/g, ' ');
  }
  for (const language of ['de', 'de-DE,de;q=0.9,en;q=0.8', 'tlh, en;q=0.5, de;q=0.7', '*, de;q=0.1']) {
    const text = await order(language);
    for (const part of ['6.713,68 $', '1 May 2026, 14:02:07 UTC', '1.5 × 1.000 1,125 $'])
      expect([language, text]).toEqual([language, expect.stringContaining(part)]);
  }
  for (const language of ['en', 'en-US,en;q=0.9', 'tlh', 'x'.repeat(300), ';;,,q=']) {
    const text = await order(language);
    for (const part of ['$6,713.68', '1 May 2026, 14:02:07 UTC', '1.5 × 1,000 $1.125'])
      expect([language, text]).toEqual([language, expect.stringContaining(part)]);
  }
});

test.for([
  ['de', '49,90', '49,90', '49.9'],
  ['en', '49,90', '49.90', '49.9'],
  ['de', 1234.5, '1234,5', '1234.5'],
  ['de', 'much', 'much', null],
] as const)(
  'a reader of %s is offered the amount %s as %s, and stores it as %j',
  async ([language, sent, filled, stored], { shop }) => {
    await shop.report({ amount: sent, currency: 'dollars' });
    const id = encodeId('ref', (await shop.refused())[0]!.id);
    const browser = await shop.console();
    const accepted = { 'accept-language': language };
    const { text } = await browser.get(`/console/refused/${id}`, accepted);
    expect(/name="amount" value="([^"]*)"/.exec(text)![1]).toBe(filled);
    const fields = { id, amount: filled, currency: 'EUR' };
    await browser.submit('/console/refused/correct', fields, accepted);
    expect((await shop.stored()).map(({ amount }) => amount)).toEqual(stored === null ? [] : [stored]);
  },
);
