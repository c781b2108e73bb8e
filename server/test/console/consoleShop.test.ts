import { expect } from 'vitest';
import { ensureDemoTeam } from '../../src/features/demo/demoTeam.js';
import { makeSampleOrders } from '../../src/features/demo/sampleMonth.js';
import { signIn } from '../kit/console.js';
import { startServerForTest } from '../kit/server.js';
import { test } from '../kit/shop.js';

const whole = { name: 'Tea', zone: 'Europe/Berlin', storefrontUrl: 'https://tea.example' };

test('the shop is changed on a page of Setup by the rules of the command, and says which field is not valid', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const { press, submit, get } = await shop.console();
  const stored = async () =>
    (await sql`select name, zone, storefront_url as "storefrontUrl" from team where id = ${team}`)[0];
  const before = await stored();
  for (const [fields, hint] of [
    [{ ...whole, name: '  ' }, 'The name must be 1 to 255 characters.'],
    [{ ...whole, zone: 'Nowhere' }, 'does not know this time zone'],
    [{ ...whole, storefrontUrl: 'ftp://tea.example' }, 'must be an http or https URL'],
    [{ ...whole, storefrontUrl: 'https://a:b@tea.example' }, 'must be an http or https URL'],
  ] as const) {
    const { status, text } = await submit('/console/setup/shop', fields);
    expect([status, text]).toEqual([400, expect.stringContaining(hint)]);
    expect(text).toMatch(/aria-invalid="true"[^>]*aria-describedby="refusal"/);
    expect(await stored()).toEqual(before);
  }
  const markedDay = '2026-01-01';
  await sql`insert into summed_day (team_id, day, is_summed) values (${team}, ${markedDay}, true)`;
  expect(await press('/console/setup/shop', { ...whole, storefrontUrl: 'https://tea.example/' })).toContain(
    'The shop is changed.',
  );
  expect(await stored()).toEqual(whole);
  expect(await sql`select from summed_day where team_id = ${team} and is_summed`).toHaveLength(0);
  const page = (await get('/console/orders')).text;
  expect(page).toMatch(/Times in <a href="[^"]*\/setup\/shop">Europe\/Berlin<\/a>/);
  expect(page).toContain('Tea');
});

test('the samples are removed by a button that asks once, and with them its panel; tries of one’s own stay', async () => {
  const server = await startServerForTest();
  const { sql } = server;
  const { teamId, uuid, apiKey } = (await ensureDemoTeam(sql, server.url))!;
  await server.reportByKey(apiKey!, { teamId, email: 'ann@buyer.example', amount: 5, orderId: 'SAMPLE-own' });
  const { read, press, get } = await signIn(server, teamId);
  expect(await read('/console')).toContain('Among these are sample orders. Remove the samples');
  const samples = makeSampleOrders(0).length;
  expect((await get('/console/setup/shop')).text).toContain(`Remove ${samples} sample orders`);
  expect(await press('/console/setup/shop/samples')).toContain(`${samples} sample orders are removed.`);
  expect(
    (await sql`select order_id as id from placed_order where team_id = ${uuid}`).map(({ id }) => id),
  ).toEqual(['SAMPLE-own']);
  for (const table of ['refund', 'person'])
    expect([table, (await sql`select from ${sql(table)} where team_id = ${uuid}`).length]).toEqual([
      table,
      table === 'refund' ? 0 : 2,
    ]);
  expect((await get('/console/setup/shop')).text).not.toContain('sample order');
  expect(await read('/console')).not.toContain('sample orders');
  await ensureDemoTeam(sql, server.url);
  expect(await sql`select from placed_order where team_id = ${uuid}`).toHaveLength(1);
});

test('a shop of one’s own has no samples to remove', async ({ shop }) => {
  await shop.report({ orderId: 'SAMPLE-1', sample: true });
  const { get, press } = await shop.console();
  expect((await get('/console/setup/shop')).text).not.toContain('Remove the samples');
  expect(await press('/console/setup/shop/samples')).toContain('No sample order was left');
  expect(await shop.stored()).toHaveLength(1);
});

test('the shop’s currency is in the pieces and the forms, and a report without one still counts as USD', async ({
  shop,
}) => {
  const { get, read, press, submit } = await shop.console();
  expect((await get('/console/setup/install')).text).toContain('currency: &#39;USD&#39;');
  const team = { name: 'Shop', zone: 'UTC', storefrontUrl: 'https://shop.example' };
  const wrong = await submit('/console/setup/shop', { ...team, currency: '€' });
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('a code of 3 to 5 letters')]);
  expect(await press('/console/setup/shop', { ...team, currency: 'eur' })).toContain('The shop is changed.');
  expect((await get('/console/setup/shop')).text).toMatch(
    /name="currency"[^>]*value="EUR"|value="EUR"[^>]*name="currency"/,
  );
  expect((await get('/console/setup/install')).text).toContain('currency: &#39;EUR&#39;');
  expect(JSON.parse((await shop.command('tag', '--json')).stdout).confirmationPage).toContain(
    "currency: 'EUR'",
  );
  // Other changes of the shop keep the currency.
  await submit('/console/setup/shop', { ...team, name: 'Other' });
  await shop.command('team', 'edit', '--name', 'Third');
  expect((await get('/console/setup/install')).text).toContain('currency: &#39;EUR&#39;');
  expect((await shop.report({ orderId: 'o-1' })).body.data.currency).toBe('USD');
  await shop.report({ orderId: 'o-2', currency: 'EUR' });
  await shop.report({ orderId: 'o-3', currency: 'USD' });
  expect(await read('/console')).toContain('1 order without a currency.');
  const { text } = await get('/console');
  const [, href] = /<a[^>]* href="([^"]*id=no-currency[^"]*)"/.exec(text)!;
  const listed = await read(href!.replaceAll('&amp;', '&'));
  expect([listed.includes('o-1'), listed.includes('o-2'), listed.includes('o-3')]).toEqual([
    true,
    false,
    false,
  ]);
  // A backend reports the currency later.
  await shop.reportByKey({ orderId: 'o-1', currency: 'EUR' });
  expect(await read('/console')).not.toContain('without a currency');
});

test('a shop in dollars is not told of orders without a currency', async ({ shop }) => {
  const { read, submit } = await shop.console();
  await shop.report();
  expect(await read('/console')).toContain('1 order without a currency.');
  await submit('/console/setup/shop', {
    name: 'Shop',
    zone: 'UTC',
    storefrontUrl: 'https://shop.example',
    currency: 'USD',
  });
  expect(await read('/console')).not.toContain('without a currency');
});

test('an order stays among those without a currency while further reports name none, until one does', async ({
  shop,
}) => {
  const { read } = await shop.console();
  await shop.report({ orderId: 'o-1' });
  await shop.reportByKey({ orderId: 'o-1', name: 'Ann' });
  await shop.reportByKey({ orderId: 'o-2', name: 'Ann', createdAt: '2026-01-02T03:04:05Z' });
  await shop.report({ orderId: 'o-2' });
  expect(await read('/console')).toContain('2 orders without a currency.');
  const listed = await read('/console/orders?id=no-currency');
  expect([listed.includes('o-1'), listed.includes('o-2')]).toEqual([true, true]);
  await shop.reportByKey({ orderId: 'o-1', currency: 'EUR' });
  expect(await read('/console')).toContain('1 order without a currency.');
  await shop.reportByKey({ orderId: 'o-2', currency: 'USD' });
  expect(await read('/console')).not.toContain('without a currency');
});
