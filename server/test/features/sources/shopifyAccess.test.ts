import { expect } from 'vitest';
import { askShopify, shopifyVersion } from '../../../src/features/sources/ask/askShopify.js';
import { describeSync, syncSource } from '../../../src/features/sources/ask/syncSource.js';
import { test } from '../../kit/shop.js';
import { openSync } from './openSync.js';
import { apiKeys, listChanges, shopifyApp } from './shopStandIn.js';

test('the version of Shopify’s API that is asked is not older than nine months, because it is supported for twelve', () => {
  const [year, month] = shopifyVersion.split('-').map(Number) as [number, number];
  expect([1, 4, 7, 10]).toContain(month);
  const ageMs = Date.now() - Date.UTC(year, month - 1);
  expect(ageMs).toBeGreaterThan(0);
  expect(ageMs).toBeLessThan(275 * 86_400_000);
});

test('an app of the Dev Dashboard gets one token for all pages of an asking, and an older one has its own', async ({
  shop,
}) => {
  const { sync, tokenRequests, requests } = await openSync(shop, 'shopify', listChanges('shopify', 120));
  expect(await sync(null, { apiKey: shopifyApp })).toMatchObject({ orders: 120, fault: null });
  expect(tokenRequests.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    { grant_type: 'client_credentials', client_id: 'client-1', client_secret: 'shpss_1' },
  ]);
  expect(requests.length).toBe(3);
  expect(await sync(null, { apiKey: apiKeys.shopify })).toMatchObject({ orders: 120, fault: null });
  expect(tokenRequests).toHaveLength(1);
});

test('a token that has ended during an asking is got again', async ({ shop }) => {
  const opened = await openSync(shop, 'shopify', listChanges('shopify', 120));
  const source = { ...opened.source, ...opened.access, apiKey: shopifyApp };
  const short: typeof opened.deps.send = async (request) => {
    const response = await opened.deps.send(request);
    if (request.body === undefined || response.status === undefined) return response;
    return { ...response, text: response.text.replace('86399', '30') };
  };
  expect(await syncSource(source, null, { ...opened.deps, send: short })).toMatchObject({ fault: null });
  expect(opened.tokenRequests).toHaveLength(3);
});

test.for<[string, string, string]>([
  ['a wrong secret', 'client-1:shpss_2', 'invalid_client'],
  ['an app that is not installed', 'not-installed:shpss_1', 'app_not_installed'],
])('%s ends the asking in one sentence', async ([_, apiKey, code], { shop }) => {
  const { sync, tokenRequests, requests } = await openSync(shop, 'shopify');
  const { fault } = await sync(null, { apiKey });
  expect(fault).toContain(`gave no token for the client ID and the client secret (${code})`);
  expect(fault).not.toContain('shpss_');
  expect([tokenRequests.length, requests.length]).toEqual([1, 0]);
});

test.for([
  ['shpat_0a1b', true],
  ['shpca_0a1b', true],
  ['0a1b2c:shpss_0a1b', true],
  ['0a1b2c:0a1b2c', true],
  // A client secret is no token.
  ['shpss_0a1b', false],
  ['0a1b2c:', false],
  ['0a1b2c', false],
  ['a b:c', false],
] as const)('%s is a key of Shopify: %s', ([text, isKey]) => {
  expect(askShopify.isKey.test(text)).toBe(isKey);
});

test('a client ID and a client secret are entered on Setup, each in a field of its own', async ({ shop }) => {
  const { source } = await openSync(shop, 'shopify', []);
  const { submit, read } = await shop.console();
  const fields = { source: source.shownId, shopUrl: 'https://ann.myshopify.invalid' };
  const enter = (more: object) => submit('/console/setup/sources/access', { ...fields, ...more });
  const keys = () => shop.sql`select api_key from source where team_id = ${shop.team}`;
  expect((await enter({ clientId: ' 0a1b ', apiKey: 'shpss_1 ' })).status).toBe(303);
  expect(await keys()).toEqual([{ api_key: '0a1b:shpss_1' }]);
  expect(await read('/console/setup/sources')).toContain('Build apps in Dev Dashboard');
  expect((await enter({ clientId: '', apiKey: 'shpss_1' })).status).toBe(400);
  expect((await enter({ clientId: '', apiKey: 'shpat_1' })).status).toBe(303);
  expect(await keys()).toEqual([{ api_key: 'shpat_1' }]);
});

test('a key that may not read buyers is said, and one that may is not', async ({ shop }) => {
  const changes = listChanges('shopify', 3);
  const { sync } = await openSync(shop, 'shopify', changes);
  const withheld = {
    email: null,
    contact_email: '',
    phone: null,
    customer: { id: 115310627, state: 'enabled' },
  };
  for (const { payload } of changes) {
    Object.assign(payload, withheld, { shipping_address: { country_code: 'DE' } });
    payload.billing_address = undefined;
  }
  const result = await sync();
  expect(result).toMatchObject({ orders: 3, isBuyerWithheld: true });
  expect(describeSync(result)).toContain('this key may not read buyers');
  // An order of a till among others.
  changes[0]!.payload.billing_address = { name: 'Ann' };
  expect(await sync()).toMatchObject({ orders: 3, isBuyerWithheld: false });
});
