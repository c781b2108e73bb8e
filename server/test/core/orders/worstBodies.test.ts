// @module-tag all
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../../src/core/orders/receive/readReport.js';
import { bytesTogether, readJson } from '../../../src/http/readBody.js';
import { describeIssues } from '../../../src/values/issues.js';
import { parseJson } from '../../../src/values/json.js';
import { jsonBounds } from '../../../src/values/limits.js';
import { type Shop, test } from '../../kit/shop.js';
import { mostParsedInATurn } from '../../kit/turns.js';
import { warningsOf } from '../../kit/warnings.js';
import { worstBodies } from './worstBodies.js';

// This measures no time. It counts the work between two turns of the event loop.

const bodies = worstBodies('the-team', 'the-order');

/** The parsed values of the bodies that are within the bounds, and the errors of the others. */
const read = Object.entries(bodies).map(([name, text]) => {
  try {
    return { name, text, value: parseJson(text, jsonBounds) };
  } catch (error) {
    return { name, text, error };
  }
});

it('no worst body is read into more values and names than its bounds allow', () => {
  for (const { name, value, error } of read) {
    const isCut = /^(a text|quotes and spaces) without an end$/.test(name);
    if (error) expect([name, error]).toEqual([name, expect.any(isCut ? SyntaxError : RangeError)]);
    const found = { values: 0, names: new Set<string>() };
    count(value, found);
    expect([name, found.values <= jsonBounds.values]).toEqual([name, true]);
    expect([name, found.names.size <= jsonBounds.names]).toEqual([name, true]);
  }
  expect(read.filter(({ error }) => !error).length).toBeGreaterThan(20);
});

function count(value: unknown, found: { values: number; names: Set<string> }): void {
  found.values++;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const name in value) found.names.add(name);
  for (const child of Object.values(value)) count(child, found);
}

it.each(['page', 'key'])('about each worst body a %s is told a few words', (sender) => {
  for (const { name, text, error } of read) {
    if (error) continue;
    const { issues, warnings } = readReport(parseJson(text, jsonBounds), sender === 'page');
    // 20 issues, or 21 warnings, each with a path of 200 characters at most.
    const warned = JSON.stringify(issues ? describeIssues({ issues }) : warnings);
    expect([name, warned.length < 7_500]).toEqual([name, true]);
  }
});

test('a page’s order is stored whatever its items are, unless they are too many', async ({ shop }) => {
  for (const { name, text, error } of read) {
    if (!/item|prices|field|deep nesting/.test(name) || /^only/.test(name)) continue;
    const body = text.replace('the-order', name).replace('the-team', shop.teamId);
    const { status, text: answer, body: answered } = await shop.report(body);
    expect([name, status, answer.length < 8_000]).toEqual([name, error ? 413 : 200, true]);
    if (!error) expect([name, answered.data.isNew]).toEqual([name, true]);
  }
});

test('the console shows, and corrects, an amount that nests deep', async ({ shop }) => {
  const { get, submit } = await shop.console();
  const nested = `${'['.repeat(2_900)}${']'.repeat(2_900)}`;
  const body = JSON.stringify(shop.order({ amount: 0 })).replace('"amount":0', `"amount":${nested}`);
  expect((await shop.report(body)).status).toBe(400);
  const list = await get(`/console/refused?reason=invalid_request&host=${shop.domain}&field=amount`);
  expect([list.status, list.text.includes('ann@buyer.example')]).toEqual([200, true]);
  const id = /ref_\w{26}/.exec(list.text)![0];
  expect((await get(`/console/refused/${id}`)).status).toBe(200);
  const { status } = await submit('/console/refused/correct', { id, amount: '12.50', orderId: 'o-1' });
  expect([status, await shop.stored()]).toMatchObject([303, [{ amount: '12.5', orderId: 'o-1' }]]);
});

it('500 invalid items of a key report are refused for the first 20 fields', () => {
  const { issues } = readReport(JSON.parse(bodies['500 invalid items']!), false);
  expect(new Set(issues!.map(({ path }) => path.slice(0, 2).join('.')))).toEqual(
    new Set(['items.0', 'items.1', 'items.2']),
  );
});

it('an invalid item behind valid ones is named by its place', () => {
  const items = [...Array(450).fill({ sku: 'A', nested: [{}] }), { sku: null }];
  const { issues } = readReport({ teamId: 't', email: 'ann@mail.example', amount: 1, items }, false);
  expect(issues!.map(({ path }) => path.join('.'))).toEqual(['items.450.sku']);
});

describe('a report with more values than are read', () => {
  const ones = Array(8_000).fill(1);
  const names = Object.fromEntries(ones.map((one, n) => [`n${n}`, one]).slice(0, 3_000));
  const tooMany = 'The body has more than 5900 values or 700 different names; send fewer items or fields.';

  test.for<[string, (order: object) => object]>([
    ['in its items', (order) => ({ ...order, items: [{ sku: 'A', ones }] })],
    ['before its other fields', (order) => ({ items: [{ ones }], ...order })],
    ['in a field of no meaning', (order) => ({ ...order, platform: { ones } })],
    ['as names of an item', (order) => ({ ...order, items: [names] })],
    ['as fields', (order) => ({ ...order, ...names })],
  ])('%s is refused, by page and by key', async ([, fill], { shop }) => {
    const body = JSON.stringify(fill(shop.order({ amount: 12.5 })));
    for (const answer of [await shop.report(body), await shop.reportByKey(body)])
      expect([answer.status, answer.body.error]).toMatchObject([
        413,
        { code: 'payload_too_large', message: tooMany },
      ]);
    expect([await shop.refused(), await shop.stored()]).toEqual([[], []]);
  });
});

const storedItems = async (shop: Shop) => (await shop.stored())[0]!.items;
const manyItems = (count: number) => Array.from({ length: count }, (_, n) => ({ sku: `A${n}`, quantity: 1 }));

test.for([
  ['too many values', [{ sku: 'A' }, { ones: Array(16_000).fill(1) }]],
  ['too many items', Array(20_000).fill({})],
] as const)(
  'of a page with %s in items that are a text the order is stored without them',
  async ([, items], { shop }) => {
    const { status, body } = await shop.report({ items: JSON.stringify(items) });
    const message = 'is not an array of objects, or has too many values; left out';
    expect([status, warningsOf(body)]).toEqual([200, [{ path: 'items', message }]]);
    expect(await storedItems(shop)).toBe(null);
  },
);

test('of 700 items in a text the first 500 are stored', async ({ shop }) => {
  const { status, body } = await shop.report({ items: JSON.stringify(manyItems(700)) });
  const message = 'has more than 500 entries; the first 500 are kept';
  expect([status, warningsOf(body)]).toEqual([200, [{ path: 'items', message }]]);
  expect(await storedItems(shop)).toEqual(manyItems(500));
});

test('500 items of 8 fields are stored, by page and by key', async ({ shop }) => {
  const item = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}`, n % 10]));
  const items = Array(500).fill(item);
  const { status, body } = await shop.report({ items });
  expect([status, warningsOf(body)]).toEqual([200, []]);
  expect(await storedItems(shop)).toEqual(items);
  expect((await shop.reportByKey({ items })).status).toBe(200);
});

test('as many names of eight letters as the extra fields have room for are stored', async ({ shop }) => {
  const platform = Object.fromEntries(Array.from({ length: 625 }, (_, n) => [`name${1_000 + n}`, 1]));
  const { status, body } = await shop.report({ items: [{ sku: 'A', quantity: 2 }], platform });
  expect([status, warningsOf(body)]).toEqual([200, []]);
  expect(await shop.stored()).toMatchObject([{ extra: { platform } }]);
});

it('of 600 extra fields the first 300 of a page are kept, with one warning, and a key gets one complaint', () => {
  const extra = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [n.toString(36), 1]));
  const sent = () => ({ ...extra, teamId: 't', email: 'ann@mail.example', amount: 1 });
  const { extra: kept, warnings } = readReport(sent(), true);
  const message = "has more fields beyond the contract's than 300; the first 300 are kept";
  expect(warnings).toEqual([{ path: '', message }]);
  expect(kept).toEqual(Object.fromEntries(Object.entries(extra).slice(0, 300)));
  expect(describeIssues({ issues: readReport(sent(), false).issues! }).issues).toEqual([
    { path: '', message: "must have at most 300 fields beyond the contract's" },
  ]);
});

it('of long bodies that arrive together one is read in a turn of the event loop', async () => {
  const body = JSON.stringify({ note: `of this test ${'x'.repeat(bytesTogether)}` });
  const arrive = () =>
    Object.assign(Readable.from([Buffer.from(body)]), {
      headers: { 'content-type': 'application/json' },
    }) as unknown as IncomingMessage;
  const most = await mostParsedInATurn(new Set([body]), async () => {
    await Promise.all(Array.from({ length: 60 }, () => readJson(arrive(), ['application/json'])));
  });
  expect(most).toBe(1);
});
