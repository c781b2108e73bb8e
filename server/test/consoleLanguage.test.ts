import { expect, it } from 'vitest';
import { readAmount, writeAmount } from '../src/console/amounts.js';
import { encodeId } from '../src/values/ids.js';
import { signIn } from './console.js';
import { waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

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
  ['en', '49,90', null],
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

it.each(['en', 'de', 'fr', 'de-CH', 'ar-EG', 'hi-IN', 'sv'])(
  'what is filled in for a reader of %s is read as the same amount',
  (locale) => {
    for (const exact of ['0', '49.9', '0.001', '1234.567', '123456789012.345'])
      expect(readAmount(writeAmount(exact, locale), locale)).toBe(Number(exact));
  },
);

it('quantities and prices of an order’s items are in the language of the reader, for whom 1.125 may be a thousand', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const items = [{ sku: '1.5', price: 1.125, quantity: 1000 }];
  const { body } = await server.report({ teamId, email: 'ann@buyer.example', amount: 1125, items });
  const { get } = await signIn(server, teamId);
  for (const [language, price, quantity] of [
    ['de', '1,125', '1.000'],
    ['en', '1.125', '1,000'],
  ]) {
    const { text } = await get(`/console/orders/${body.data.id}`, { 'accept-language': language! });
    for (const shown of ['1.5', price, quantity]) expect(text).toContain(`<bdi>${shown}</bdi>`);
  }
});

it('numbers, money and dates are in the language that the browser prefers and Node knows', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const { body } = await server.report({ teamId, email: 'ann@buyer.example', amount: 6713.68 });
  await server.sql`update placed_order set created_at = '2026-05-01 14:02:07Z'`;
  const { get } = await signIn(server, teamId);
  const read = async (language: string) => {
    const { text } = await get(`/console/orders/${body.data.id}`, { 'accept-language': language });
    return text.replace(/[\u00a0\u202f]/g, ' ');
  };
  for (const language of ['de', 'de-DE,de;q=0.9,en;q=0.8', 'tlh, en;q=0.5, de;q=0.7', '*, de;q=0.1']) {
    const text = await read(language);
    expect(text).toContain('6.713,68 $');
    expect(text).toContain('1. Mai 2026, 14:02:07 UTC');
  }
  for (const language of ['en', 'en-US,en;q=0.9', 'tlh', 'x'.repeat(300), ';;,,q=']) {
    const text = await read(language);
    expect(text).toContain('$6,713.68');
    expect(text).toContain('1 May 2026, 14:02:07 UTC');
  }
});

it.each([
  ['de', '49,90', '49,90', 49.9],
  ['en', '49,90', '49.90', 49.9],
  ['de', '1.234', '1.234', 1234],
  ['en', '1.234', '1.234', 1.234],
  ['de', '49,90 €', '49,90', 49.9],
  ['de', 'much', 'much', null],
])(
  'a reader of %s is offered the amount %s as %s, and stores it as %j',
  async (language, sent, filled, stored) => {
    const server = await startServerForTest();
    const { uuid, teamId } = await server.addTeam('shop.example');
    // The first one is refused for its amount, and the second one for its currency.
    await server.report({
      teamId,
      email: 'ann@buyer.example',
      amount: sent,
      currency: 'dollars',
      orderId: 'text',
    });
    await server.report({
      teamId,
      email: 'ann@buyer.example',
      amount: 1234.5,
      currency: 'dollars',
      orderId: 'number',
    });
    const [ofNumber, ofText] = await waitingOf(server.sql, uuid);
    const console = await signIn(server, teamId);
    const accepted = { 'accept-language': language };
    const correct = (id: string, amount: string) =>
      console
        .formToken()
        .then((formToken) =>
          console.post(
            '/console/refused/correct',
            { formToken, id: encodeId('ref', id), amount, currency: 'EUR' },
            accepted,
          ),
        );
    const offered = async (id: string) => {
      const { text } = await console.get(`/console/refused/${encodeId('ref', id)}`, accepted);
      return /name="amount" value="([^"]*)"/.exec(text)![1]!;
    };
    expect(await offered(ofText!.id)).toBe(filled);
    const numberAs = language === 'de' ? '1234,5' : '1234.5';
    expect(await offered(ofNumber!.id)).toBe(numberAs);
    await correct(ofNumber!.id, numberAs);
    await correct(ofText!.id, filled);
    const orders = await server.sql`select amount::float from placed_order order by order_id`;
    expect(orders.map(({ amount }) => amount)).toEqual(stored === null ? [1234.5] : [1234.5, stored]);
  },
);

it('dates of languages that are written from right to left are isolated from the page, and no others are', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  const { body } = await server.report({ teamId, email: 'ann@buyer.example', amount: 6713.68 });
  await server.sql`update placed_order set created_at = '2025-10-23 14:02:07Z'`;
  const { get } = await signIn(server, teamId);
  const read = async (path: string, language: string) =>
    (await get(path, { 'accept-language': language })).text;
  const [order, month] = [
    `/console/orders/${body.data.id}`,
    '/console?range=custom&from=2025-10-23&to=2025-11-24',
  ];
  expect(await read(order, 'he')).toMatch(/>\u2068[^<]*2025[^<]*\u2069</);
  expect(await read(month, 'he')).toMatch(/>\u2068[^<]*2025\u2069/);
  expect(await read(month, 'fa')).toMatch(/>\u2068[^<]*۱۴۰۴\u2069/);
  // The time alone is Arabic, so the sentence after it stays as it is written.
  expect(await read(order, 'ar')).toMatch(/<dd><time[^>]*>\u2068[^<]+\u2069<\/time>, by a page/);
  for (const language of ['en', 'de', 'ja']) {
    expect(await read(order, language)).not.toMatch(/[\u2068\u2069]/);
    expect(await read(month, language)).not.toMatch(/[\u2068\u2069]/);
  }
});

it('months by time have the names of the months that they are, also where the reader’s calendar has others', async () => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  await server.report({ teamId, email: 'ann@buyer.example', amount: 1 });
  await server.sql`update placed_order set created_at = '2025-10-05 12:00Z'`;
  const { get } = await signIn(server, teamId);
  const months = async (language: string) => {
    const path = '/console?range=custom&from=2024-10-01&to=2025-10-31';
    const { text } = await get(path, { 'accept-language': language });
    return [...text.matchAll(/<tr><th scope="row">([^<]+)</g)].map(([, name]) => name);
  };
  expect((await months('en'))[0]).toBe('Oct 2025');
  expect((await months('fa'))[0]).toMatch(/اکتبر ۲۰۲۵/);
  expect((await months('ar-SA'))[0]).toMatch(/أكتوبر/);
});
