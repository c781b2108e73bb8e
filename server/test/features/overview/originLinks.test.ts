import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { textOf, unescaped } from '../../kit/html.js';
import { placeOrder, placeOrders } from '../../kit/placeOrder.js';
import { test } from '../../kit/shop.js';

const touch = (more: Record<string, unknown> = {}) => ({ at: null, path: '/', referrer: null, ...more });
const hourAgo = () => new Date(Date.now() - 3_600_000);

/** Reads the rows of the list: the link of each, its name, and its number of orders. */
const rowsOf = (html: string) =>
  [
    ...html.matchAll(
      /<a href="([^"]*\/orders\?[^"]*came=[^"]*)"[^>]*>(.*?)<\/a><\/th><td class="number">(\d+)</g,
    ),
  ].map(([, href, name, orders]) => ({
    href: unescaped(href!),
    name: textOf(name!).trim(),
    orders: Number(orders),
  }));

test('each row of where orders come from leads to its orders, their sums and their file', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const ways = [
    { firstTouch: touch({ source: 'Newsletter', medium: 'email' }), lastTouch: touch({ source: 'google' }) },
    { firstTouch: touch({ source: 'newsletter' }), isTest: false },
    { firstTouch: touch({ referrer: 'blog.example' }) },
    { firstTouch: touch({ source: 'Ä & "b"=<c>+%, 50', campaign: 'x.y' }) },
    { firstTouch: touch() },
    { firstTouch: touch() },
    {},
  ];
  for (const way of ways) await placeOrder(sql, team, { amount: 10, createdAt: hourAgo(), ...way });
  // Orders that no row counts: of the other mode, and of another time.
  await placeOrder(sql, team, { ...ways[0], isTest: true, createdAt: hourAgo() });
  await placeOrder(sql, team, { ...ways[0], createdAt: new Date(Date.now() - 60 * 24 * 3_600_000) });
  const { get } = await shop.console();
  for (const [query, names] of [
    [
      '',
      [
        'Direct typed or bookmarked',
        'newsletter',
        'blog.example',
        'ä & "b"=<c>+%, 50',
        'Unknown no visit seen',
      ],
    ],
    ['?by=medium', ['No medium', 'Direct typed or bookmarked', 'email', 'Unknown no visit seen']],
    [
      '?by=campaign&touch=last',
      ['No campaign', 'Direct typed or bookmarked', 'x.y', 'Unknown no visit seen'],
    ],
    ['?touch=last&range=7d', expect.arrayContaining(['google', 'newsletter'])],
  ] as const) {
    const rows = rowsOf((await get(`/console${query}`)).text);
    expect(rows.map(({ name }) => name).sort()).toEqual(Array.isArray(names) ? names.toSorted() : names);
    expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(ways.length);
    for (const { href, orders } of rows) {
      const { text } = await get(href);
      expect([href, text.match(/<tr id="ord_/g)?.length]).toEqual([href, orders]);
      expect(textOf(text)).toContain(`Orders ${orders} order${orders === 1 ? '' : 's'}, $${orders * 10}.00`);
      const file = unescaped(/<a href="([^"]+)">Download CSV/.exec(text)![1]!);
      expect(parse((await get(file)).text, { bom: true, columns: true })).toHaveLength(orders);
      // The form keeps the filter, and has a choice that removes it.
      expect(text).toMatch(
        /<select name="came"><option value="">From anywhere<\/option><option value="[^"]+" selected/,
      );
    }
  }
});

test('all rows can be shown, and other currencies are said in words', async ({ shop }) => {
  const { sql, team } = shop;
  const orders = Array.from({ length: 14 }, (_, n) => ({
    createdAt: hourAgo(),
    firstTouch: touch({ source: `s-${n}` }),
  }));
  await placeOrders(sql, team, [
    ...orders,
    ...['EUR', 'JPY'].map((currency) => ({ ...orders[0]!, currency })),
  ]);
  const { get } = await shop.console();
  const few = (await get('/console')).text;
  expect(rowsOf(few)).toHaveLength(10);
  expect(textOf(few)).toMatch(/ \+2 currencies/);
  const [, all] = /<a href="([^"]+)">Others: show all/.exec(few)!;
  const shown = (await get(unescaped(all!))).text;
  expect(rowsOf(shown)).toHaveLength(14);
  expect(textOf(shown)).toContain('Show the largest ten');
});

test.for([
  '',
  'nonsense',
  'source',
  'last.',
  'up.source.x',
  'source.',
  `source.${'x'.repeat(5_000)}`,
  'medium.\0\ud800',
])('a filter %j that no page has written is harmless', async (came, { shop }) => {
  const { get } = await shop.console();
  expect((await get(`/console/orders?${new URLSearchParams({ came })}`)).status).toBe(200);
});

test('a row has its money in the page’s currency', async ({ shop }) => {
  const dollars = {
    currency: 'USD',
    amount: 20.8,
    firstTouch: touch({ source: 'letter' }),
    createdAt: hourAgo(),
  };
  await placeOrders(shop.sql, shop.team, [
    dollars,
    dollars,
    dollars,
    { ...dollars, currency: 'EUR', amount: 3990 },
  ]);
  const { read } = await shop.console();
  expect(await read('/console?currency=EUR&range=7d')).toMatch(/letter\s+4\s+€3,990\.00\s+\+1 currency/);
  expect(await read('/console?currency=USD&range=7d')).toMatch(/letter\s+4\s+\$62\.40\s+\+1 currency/);
});
