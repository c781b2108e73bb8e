import { expect } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { placeRefused } from './refused.js';
import { type Shop, test } from './shop.js';

const host = 'checkout.example';

/** Lets the server refuse reports of the shop's page, and keep them. */
async function refuse(shop: Shop, orders: Record<string, Record<string, unknown>>, origin = shop.origin) {
  for (const [orderId, order] of Object.entries(orders)) {
    const { status } = await shop.report({ orderId, ...order }, { origin });
    expect([400, 403, 409]).toContain(status);
  }
}

/** The page of one refused report, and its form. */
async function openReport(shop: Shop, orderId: string) {
  const [row] = await shop.sql<{ id: string }[]>`
    select id from refused_report where team_id = ${shop.team} and order_id = ${orderId}`;
  const id = encodeId('ref', row!.id);
  const { read, submit } = await shop.console();
  return {
    text: await read(`/console/refused/${id}`),
    correct: (fields: Record<string, string>) => submit('/console/refused/correct', { id, ...fields }),
  };
}

const stored = async (shop: Shop) =>
  (await shop.stored()).map(({ orderId, amount, currency }) => `${orderId} ${amount} ${currency}`).sort();

test('each page names the refused reports and the money at risk in its navigation', async ({ shop }) => {
  const { read } = await shop.console();
  const mark = async (path = '/setup') =>
    / Refused(?: \([^)]*\)(?: · \S+(?: \+ others)?)?)?/.exec(await read(`/console${path}`))![0].trim();
  expect(await mark()).toBe('Refused');
  await refuse(shop, { 'o-0': { amount: 'much' } });
  expect(await mark()).toBe('Refused (1)');
  await refuse(shop, { 'o-1': { amount: 120 }, 'o-2': { amount: 50 } }, `https://${host}`);
  for (const path of ['', '/orders', '/refused', '/webhooks', '/setup', '/check', '/compare'])
    expect([path, await mark(path)]).toEqual([path, 'Refused (3) · $170']);
  await refuse(shop, { 'o-3': { amount: 5000.5, currency: 'EUR' } }, `https://${host}`);
  expect(await mark()).toBe('Refused (4) · $170 + others');
  await placeRefused(shop.sql, shop.team, 1500, () => ({ host }));
  expect(await mark()).toBe('Refused (1,504) · $1,670 + others');
});

test('the page of one report corrects all amounts that are read as its own, and leaves those that can be read otherwise', async ({
  shop,
}) => {
  const amountOf = { 'o-1': '49,90 €', 'o-2': '1.234,50 €', 'o-3': 'much', 'o-4': '1.234 €' };
  const orders = Object.entries(amountOf).map(([orderId, amount]) => [orderId, { amount }]);
  await refuse(shop, Object.fromEntries(orders));
  const { correct } = await openReport(shop, 'o-1');
  const other = await correct({ amount: '45', all: 'yes' });
  expect([other.status, other.text]).toEqual([400, expect.stringContaining('Store this one alone.')]);
  // In French the point of 1.234 is a decimal point, in German it is none, and 49,90 is the same in both.
  expect((await correct({ amount: '49.90', all: 'yes' })).status).toBe(303);
  expect(await stored(shop)).toEqual(['o-1 49.9 USD', 'o-2 1234.5 USD']);
});

test('an amount below zero, with whatever minus a language writes, is stored with no others', async ({
  shop,
}) => {
  const below = ['-49,90', '−49,90', '–49,90 €', '(49,90)', '49,90−'];
  await refuse(shop, Object.fromEntries(below.map((amount, n) => [`below-${n}`, { amount }])));
  await refuse(shop, { 'o-1': { amount: '49,90 €' }, 'o-2': { amount: '1.234,– €' } });
  await (await openReport(shop, 'o-1')).correct({ amount: '49.90', all: 'yes' });
  const { submit } = await shop.console();
  const kind = { reason: 'invalid_request', host: shop.domain, field: 'amount' };
  await submit('/console/refused/correct-all', kind);
  expect(await stored(shop)).toEqual(['o-1 49.9 USD']);
});

test('a corrected currency is for all reports with the same text in its place', async ({ shop }) => {
  await refuse(shop, { 'o-1': { currency: '€' }, 'o-2': { currency: '€' }, 'o-3': { currency: 'US $' } });
  await (await openReport(shop, 'o-1')).correct({ currency: 'EUR', all: 'yes' });
  expect(await stored(shop)).toEqual(['o-1 49.9 EUR', 'o-2 49.9 EUR']);
});

test('a group whose reports would be refused again has no button that stores them as they are', async ({
  shop,
}) => {
  const { get } = await shop.console();
  await refuse(shop, { 'o-1': { email: 'nobody' } });
  expect((await get('/console/refused')).text).not.toContain('/console/refused/store');
  await shop.report({ orderId: 'o-2', email: 'bob@buyer.example' });
  await refuse(shop, { 'o-2': {} });
  expect((await get('/console/refused')).text).not.toContain('/console/refused/store');
});

test('a report that is wrong in a field which an order does not need is stored by one press, without that field', async ({
  shop,
}) => {
  expect((await shop.reportByKey({ orderId: 'o-1', source: 'a shop' })).status).toBe(400);
  expect((await (await openReport(shop, 'o-1')).correct({})).status).toBe(303);
  expect(await stored(shop)).toEqual(['o-1 49.9 USD']);
});
