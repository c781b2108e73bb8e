import { expect } from 'vitest';
import { makeBuckets } from '../../src/console/parts/buckets.js';
import { makeRange } from '../../src/console/parts/range.js';
import { connectionsOf } from '../../src/database/pools.js';
import { readOrderFigures } from '../../src/features/overview/sql/readFigures.js';
import { type Explained, explainAll } from '../kit/explained.js';
import { textOf, tilesOf } from '../kit/html.js';
import { placeOrders } from '../kit/placeOrder.js';
import { type Shop, test } from '../kit/shop.js';

/** Makes a currency code of three letters and an X from a number. */
const codeOf = (n: number) =>
  `${[n / 676, n / 26, n].map((digit) => String.fromCharCode(65 + (Math.floor(digit) % 26))).join('')}X`;

/** Stores two orders of a second ago in each of some made-up currencies, each on a made-up host. */
async function placeMadeUp({ sql, team, domain }: Shop, currencies: number, isTest = false) {
  const createdAt = new Date(Date.now() - 1000);
  const row = (n: number) => ({ createdAt, isTest, currency: codeOf(n), host: `h${n}.${domain}` });
  const rows = Array.from({ length: currencies }, (_, n) => [row(n), row(n)]);
  await placeOrders(sql, team, rows.flat());
}

test('3,000 made-up currencies are one line of the overview, and a key’s has its own', async ({ shop }) => {
  const { sql, team } = shop;
  await placeMadeUp(shop, 3_000);
  await shop.reportByKey({ currency: 'EUR' });
  const { get } = await shop.console();
  const { status, text } = await get('/console');
  expect([status, text.length < 40_000]).toEqual([200, true]);
  const shown = textOf(text);
  expect(shown).toContain('€49.90');
  expect(shown.match(/Money in /g)).toHaveLength(10);
  expect(tilesOf(text).Gross).toEqual(expect.arrayContaining([expect.stringMatching(/and 2,999 others$/)]));
  expect((await get('/console?show=gross&currency=GXXXX')).status).toBe(200);
  const here = { now: new Date(), zone: 'UTC' };
  const buckets = makeBuckets(makeRange('30d', here), here);
  const rows = await readOrderFigures(sql, team, { buckets, isTest: false, currency: 'USD' });
  expect(rows.length).toBeLessThan(50);
  await sql`
    update placed_order set created_at = now(), first_touch = '{"source":"news"}'
    where team_id = ${team}`;
  expect(textOf((await get('/console')).text)).toMatch(/ news 6,001 .{1,12} \+9 /);
});

test('the ten currencies that are shown are found without sorting all that a page made up', {
  tags: ['all'],
}, async ({ shop }) => {
  const { sql, team } = shop;
  await placeMadeUp(shop, 300);
  const here = { now: new Date(), zone: 'UTC' };
  const buckets = makeBuckets(makeRange('30d', here), here);
  const plans: Explained[] = [];
  const explained = explainAll(sql, plans, 'explain analyze');
  await readOrderFigures(explained, team, { buckets, isTest: false, currency: 'USD' });
  const sorts = [
    ...plans[0]!.plan.matchAll(/ Sort {2}\(.* rows=([\d.]+) loops=.*\n *Sort Key: .*IS DISTINCT FROM/g),
  ];
  expect(sorts.map(([, rows]) => Number(rows))).toEqual([10]);
});

test('the overview does not claim that there are no test orders where it has looked at the newest 2,000 orders alone', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const createdAt = new Date(Date.now() - 2 * 3_600_000);
  await placeOrders(sql, team, [
    { createdAt, isTest: true },
    { createdAt, isTest: true },
  ]);
  await placeMadeUp(shop, 1_000);
  const text = await (await shop.console()).read('/console?mode=test');
  expect(text).toContain(' Orders 2 Gross ');
  expect(text).toContain('No test orders among the newest ones.');
});

test('no statement of the console keeps a plan that was made while its tables were nearly empty', {
  tags: ['all'],
}, async ({ shop, server }) => {
  const { read } = await shop.console();
  for (let time = 0; time < 12; time++) await read('/console?range=12m');
  const plans = await Promise.all(
    Array.from(
      { length: connectionsOf.console },
      () => server.pools.console`
      select statement from pg_prepared_statements where generic_plans > 0 and statement like '/*%'`,
    ),
  );
  expect(plans.flat()).toEqual([]);
  const kept = await server.pools.work`
    select statement from pg_prepared_statements where statement like '/* readO%'`;
  expect(kept).toEqual([]);
});

test('hosts that are made up below a wildcard do not hide a domain', async ({ shop }) => {
  const { sql, team, domain } = shop;
  await shop.addDomain(`*.${domain}`);
  await placeOrders(sql, team, [{ host: domain, createdAt: new Date(Date.now() - 3 * 3_600_000) }]);
  await placeMadeUp(shop, 200);
  const { read } = await shop.console();
  expect(await read('/console/setup/domains')).toMatch(new RegExp(` ${domain} live (Today|Yesterday) \\d`));
});
