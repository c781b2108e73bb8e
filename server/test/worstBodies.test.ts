import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worstBodies } from '../bench/worstBodies.js';
import { checkReport } from '../src/orders/checkReport.js';
import { reportBounds, reportFields } from '../src/orders/reportSchema.js';
import { parseExactJson } from '../src/values/exactJson.js';
import { findCuts } from '../src/values/findCuts.js';
import { jsonBounds } from '../src/values/limits.js';
import { signIn } from './console.js';
import { startTestServer } from './server.js';

// Nothing is timed here: `npm run bench -w server -- worst` does that.

let server: Awaited<ReturnType<typeof startTestServer>>;
let team: { uuid: string; teamId: string };
let key: string;
let bodies: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  bodies = worstBodies(team.teamId, idOfBodies);
});
afterAll(() => server.close());

const names = Object.keys(worstBodies('team', 'id'));
/** Stands for the id of each body. To make all bodies anew for each id took 20 s of CPU. */
const idOfBodies = 'the-id-of-the-body';
const bodyOf = (name: string, id: string) => bodies[name]!.replace(idOfBodies, id);
const ways: Record<string, (body: string) => ReturnType<typeof server.report>> = {
  page: (body) => server.report(body),
  'host that is not allowed': (body) => server.report(body, { origin: 'https://other.example' }),
  key: (body) => server.reportByKey(key, body),
  enrollment: (body) => server.enroll(key, body),
};

it.each(Object.keys(ways))('each worst body is answered in a few words, by %s', async (way) => {
  for (const name of names) {
    const { status, text, body } = await ways[way]!(bodyOf(name, `${way} ${name}`));
    expect([name, [200, 400, 403, 404].includes(status)]).toEqual([name, true]);
    // 20 issues, or 21 warnings, each with a path of 200 characters at most.
    expect([name, text.length < 8_000]).toEqual([name, true]);
    if (way !== 'page') continue;
    // A page's order is stored whatever its items are.
    const isOrder = /item|prices|field|deep nesting/.test(name) && !/^only/.test(name);
    if (isOrder) expect([name, status, body.data?.isNew]).toEqual([name, 200, true]);
  }
});

it('the console shows, and corrects, each worst body that was refused', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { get, post, formToken } = await signIn(server, teamId);
  const amount = worstBodies(teamId, 'amount')['a deep amount']!;
  expect((await server.report(amount)).status).toBe(400);
  const list = await get('/console/refused?reason=invalid_request&host=shop.example&field=amount');
  expect([list.status, list.text.includes('ann@mail.example')]).toEqual([200, true]);
  const id = /ref_\w{26}/.exec(list.text)![0];
  expect((await get(`/console/refused/${id}`)).status).toBe(200);
  const fields = { formToken: await formToken(), id, amount: '12.50', orderId: 'o-1' };
  expect((await post('/console/refused/correct', fields)).status).toBe(303);
  const orders = await server.sql`select amount, order_id from placed_order where team_id = ${uuid}`;
  expect(orders).toMatchObject([{ amount: '12.5', order_id: 'o-1' }]);
});

it('no worst body is read into more values and names than its bounds allow', () => {
  for (const name of names.filter((name) => name !== 'a list of numbers')) {
    const text = bodyOf(name, 'o');
    const found = { values: 0, names: new Set<string>() };
    try {
      count(parseExactJson(text, reportBounds), found);
    } catch (error) {
      expect([name, error]).toEqual(['nesting without an end', expect.any(SyntaxError)]);
    }
    const { values, names: namesBelow, topNames } = jsonBounds;
    // The top object has names, and short values, of its own.
    expect([name, found.values <= values + topNames + reportFields.size]).toEqual([name, true]);
    expect([name, found.names.size <= namesBelow + topNames + reportFields.size]).toEqual([name, true]);
  }
});

it('of a list with a bound no entry past it is looked at, and what follows the list is', () => {
  const bounds = { ...jsonBounds, entries: 501 };
  for (const entry of ['{}', '{"a":[1]}', '"a"', '1']) {
    const text = `[${Array(15_000).fill(entry).join(',')}]`;
    expect(findCuts(text, bounds).cuts).toEqual([
      { kind: 'field', from: 501 * (entry.length + 1), to: text.length - 1 },
    ]);
    expect(parseExactJson(text, bounds)).toEqual(Array(501).fill(JSON.parse(entry)));
    expect(() => parseExactJson(`${text}]`, bounds)).toThrow(SyntaxError);
    expect(() => parseExactJson(text.slice(0, -1), bounds)).toThrow(SyntaxError);
  }
});

function count(value: unknown, found: { values: number; names: Set<string> }): void {
  found.values++;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const name in value) found.names.add(name);
  for (const child of Object.values(value)) count(child, found);
}

it('500 invalid items of a key report are refused for the first 20', () => {
  const { error } = checkReport(JSON.parse(bodyOf('500 invalid items', 'o')), false);
  expect(new Set(error!.issues.map(({ path }) => path.slice(0, 2).join('.')))).toEqual(
    new Set(Array.from({ length: 20 }, (_, at) => `items.${at}`)),
  );
});

it('an invalid item behind valid ones is named by its place', () => {
  const items = [...Array(450).fill({ sku: 'A', nested: [{}] }), { sku: null }];
  const { error } = checkReport({ teamId: 't', email: 'ann@mail.example', amount: 1, items }, false);
  expect(error!.issues.map(({ path }) => path.join('.'))).toEqual(['items.450.sku']);
});

describe('a report with more values than are read', () => {
  const fields = (name: string) => ({
    teamId: team.teamId,
    email: 'ann@mail.example',
    amount: 12.5,
    orderId: name,
    name: 'Ann',
  });
  const ones = Array(8_000).fill(1);
  const stored = async (orderId: string) => {
    const [row] = await server.sql`select amount, name, items, extra from placed_order
      where team_id = ${team.uuid} and order_id = ${orderId}`;
    return row;
  };
  const leftOut = 'has too many values or names: 5900 and 700 are read in a report; left out';

  it('of a page is stored without its items', async () => {
    const sent = { ...fields('many in items'), items: [{ sku: 'A', ones }], tax: 2 };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message: leftOut }]]);
    expect(await stored(sent.orderId)).toMatchObject({
      amount: '12.5',
      name: 'Ann',
      items: null,
      extra: { tax: 2 },
    });
  });

  it('of a page is stored without its items where these stand before all other fields', async () => {
    const sent = { items: [{ ones: [...ones, ...ones] }], ...fields('many before') };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message: leftOut }]]);
    expect(await stored(sent.orderId)).toMatchObject({ name: 'Ann', items: null });
  });

  it('of a page is stored with the other items where these are a text', async () => {
    const items = JSON.stringify([{ sku: 'A' }, { ones: [...ones, ...ones] }, { sku: 'B' }]);
    const { status, body } = await server.report({ ...fields('many in a text'), items });
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items.1', message: leftOut }]]);
    expect((await stored('many in a text'))!.items).toEqual([{ sku: 'A' }, { sku: 'B' }]);
  });

  it('of a page is stored with the first 500 items where these are a text of 20,000', async () => {
    const items = JSON.stringify([{ sku: 'A' }, ...Array(20_000).fill({})]);
    const { status, body } = await server.report({ ...fields('many items in a text'), items });
    const message = 'has more than 500 entries; the first 500 are kept';
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message }]]);
    const kept = [{ sku: 'A' }, ...Array(499).fill({})];
    expect((await stored('many items in a text'))!.items).toEqual(kept);
  });

  it('of a page is stored with its items where an extra field has them', async () => {
    const sent = { ...fields('many in extra'), items: [{ sku: 'A' }], tax: 2, platform: { ones } };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'platform', message: leftOut }]]);
    expect(await stored(sent.orderId)).toMatchObject({ items: [{ sku: 'A' }], extra: { tax: 2 } });
  });

  it('of a page is stored without its items where these have too many names', async () => {
    const items = [{ sku: 'A' }, Object.fromEntries(ones.map((one, n) => [`n${n}`, one]).slice(0, 3_000))];
    const sent = { ...fields('many names'), items, tax: 2 };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message: leftOut }]]);
    expect(await stored('many names')).toMatchObject({ amount: '12.5', items: null, extra: { tax: 2 } });
  });

  it('is none with as many names of eight letters as the extra fields have room for', async () => {
    const platform = Object.fromEntries(Array.from({ length: 625 }, (_, n) => [`name${1_000 + n}`, 1]));
    const sent = { ...fields('names of extra'), items: [{ sku: 'A', quantity: 2 }], platform };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, undefined]);
    expect(await stored('names of extra')).toMatchObject({ items: sent.items, extra: { platform } });
  });

  it('by key is refused, and the field named', async () => {
    for (const [field, sent] of Object.entries({
      items: { ...fields('by key'), items: [{ ones }] },
      amount: { ...fields('by key'), amount: ones },
      platform: { ...fields('by key'), platform: { ones } },
    })) {
      const { status, body } = await server.reportByKey(key, sent);
      expect([status, body.error.issues]).toEqual([
        400,
        [{ path: field, message: 'must have fewer values or names: 5900 and 700 are read in a body' }],
      ]);
    }
    expect(await stored('by key')).toBe(undefined);
  });

  it('is none with 500 items of 8 fields', async () => {
    const item = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}`, n % 10]));
    const sent = { ...fields('whole'), items: Array(500).fill(item) };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, undefined]);
    expect((await stored(sent.orderId))!.items).toEqual(sent.items);
    expect((await server.reportByKey(key, { ...sent, orderId: 'whole by key' })).status).toBe(200);
  });
});

describe('of 6,000 extra fields', () => {
  const extra = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [n.toString(36), 1]));
  const sent = (orderId: string) => ({
    ...extra,
    teamId: team.teamId,
    email: 'ann@mail.example',
    amount: 1,
    orderId,
  });

  it('the first 300 of a page are kept, and the rest is told in one warning', async () => {
    const { status, body } = await server.report(sent('extra'));
    expect([status, body.data.warnings]).toEqual([
      200,
      [{ path: '', message: "has more fields beyond the contract's than 300; the first 300 are kept" }],
    ]);
    const [row] =
      await server.sql`select extra from placed_order where team_id = ${team.uuid} and order_id = 'extra'`;
    expect(row!.extra).toEqual(Object.fromEntries(Object.entries(extra).slice(0, 300)));
  });

  it('a key gets one complaint', async () => {
    const { status, body } = await server.reportByKey(key, sent('extra by key'));
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: '', message: "must have at most 300 fields beyond the contract's" }],
    ]);
  });
});
