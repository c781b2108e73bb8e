import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { worstBodies } from '../bench/worstBodies.js';
import { readReport } from '../src/orders/readReport.js';
import { parseJson } from '../src/values/json.js';
import { jsonBounds } from '../src/values/limits.js';
import { runOrderbeacon } from './command.js';
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
    expect([name, [200, 400, 403, 404, 413].includes(status)]).toEqual([name, true]);
    // 20 issues, or 21 warnings, each with a path of 200 characters at most.
    expect([name, text.length < 8_000]).toEqual([name, true]);
    if (way !== 'page') continue;
    // A page's order is stored whatever its items are, unless they are too many.
    const isOrder = /item|prices|field|deep nesting/.test(name) && !/^only/.test(name);
    if (isOrder) expect([name, status]).toEqual([name, isTooMuch(bodyOf(name, 'o')) ? 413 : 200]);
    if (isOrder && status === 200) expect([name, body.data.isNew]).toEqual([name, true]);
  }
});

it('the console shows, and corrects, an amount that nests deep', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { get, post, formToken } = await signIn(server, teamId);
  const nested = `${'['.repeat(2_900)}${']'.repeat(2_900)}`;
  const body = `{"teamId":"${teamId}","email":"ann@mail.example","amount":${nested}}`;
  expect((await server.report(body)).status).toBe(400);
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
  let read = 0;
  for (const name of names) {
    const text = bodyOf(name, 'o');
    const found = { values: 0, names: new Set<string>() };
    try {
      count(parseJson(text, jsonBounds), found);
      read++;
    } catch (error) {
      const isCut = /^(a text|quotes and spaces) without an end$/.test(name);
      expect([name, error]).toEqual([name, expect.any(isCut ? SyntaxError : RangeError)]);
    }
    expect([name, found.values <= jsonBounds.values]).toEqual([name, true]);
    expect([name, found.names.size <= jsonBounds.names]).toEqual([name, true]);
  }
  expect(read).toBeGreaterThan(20);
});

function isTooMuch(text: string): boolean {
  try {
    parseJson(text, jsonBounds);
    return false;
  } catch (error) {
    return error instanceof RangeError;
  }
}

function count(value: unknown, found: { values: number; names: Set<string> }): void {
  found.values++;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) for (const name in value) found.names.add(name);
  for (const child of Object.values(value)) count(child, found);
}

it('500 invalid items of a key report are refused for the first 20 fields', () => {
  const { issues } = readReport(JSON.parse(bodyOf('500 invalid items', 'o')), false);
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
  const tooMany = 'The body has more than 5900 values or 700 different names; send fewer items or fields.';
  const keptOf = async (orderId: string) =>
    await server.sql`select reason, amount, is_cut as "isCut" from refused_report
      where team_id = ${team.uuid} and order_id = ${orderId}`;

  it('is refused and kept, by page and by key, wherever the values are', async () => {
    const names = Object.fromEntries(ones.map((one, n) => [`n${n}`, one]).slice(0, 3_000));
    const sent = {
      'many in items': { ...fields('many in items'), items: [{ sku: 'A', ones }] },
      'many before': { items: [{ ones }], ...fields('many before') },
      'many in extra': { ...fields('many in extra'), platform: { ones } },
      'many names': { ...fields('many names'), items: [names] },
      'many fields': { ...fields('many fields'), ...names },
    };
    for (const [orderId, body] of Object.entries(sent)) {
      for (const answer of [await server.report(body), await server.reportByKey(key, body)])
        expect([answer.status, answer.body.error]).toMatchObject([
          413,
          { code: 'payload_too_large', message: tooMany },
        ]);
      const kept = { reason: 'payload_too_large', amount: '12.5', isCut: true };
      expect(await keptOf(orderId)).toEqual([kept, kept]);
      expect(await stored(orderId)).toBe(undefined);
    }
  });

  it('that was refused is stored without its lists and objects when a person replays it', async () => {
    const sent = { items: [{ sku: 'A', ones }], ...fields('replayed'), platform: { a: 1 }, tax: 2 };
    expect((await server.report(sent)).status).toBe(413);
    const args = ['refused', 'replay', '--team', team.teamId, '--json'];
    const { stdout } = await runOrderbeacon(args, server.env);
    expect(stdout).toContain('"replayed"');
    expect(await stored('replayed')).toMatchObject({ name: 'Ann', items: null, extra: { tax: 2 } });
  });

  it('of a page is stored without its items where these are a text', async () => {
    for (const items of [[{ sku: 'A' }, { ones: [...ones, ...ones] }], Array(20_000).fill({})]) {
      const orderId = `many in a text of ${items.length}`;
      const { status, body } = await server.report({ ...fields(orderId), items: JSON.stringify(items) });
      const message = 'is not an array of objects, or has too many values; left out';
      expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message }]]);
      expect(await stored(orderId)).toMatchObject({ name: 'Ann', items: null });
    }
  });

  it('is none with 700 items in a text, of which the first 500 are stored', async () => {
    const items = JSON.stringify(Array.from({ length: 700 }, (_, n) => ({ sku: `A${n}`, quantity: 1 })));
    const { status, body } = await server.report({ ...fields('items in a text'), items });
    const message = 'has more than 500 entries; the first 500 are kept';
    expect([status, body.data.warnings]).toEqual([200, [{ path: 'items', message }]]);
    expect((await stored('items in a text'))!.items).toHaveLength(500);
  });

  it('is none with as many names of eight letters as the extra fields have room for', async () => {
    const platform = Object.fromEntries(Array.from({ length: 625 }, (_, n) => [`name${1_000 + n}`, 1]));
    const sent = { ...fields('names of extra'), items: [{ sku: 'A', quantity: 2 }], platform };
    const { status, body } = await server.report(sent);
    expect([status, body.data.warnings]).toEqual([200, undefined]);
    expect(await stored('names of extra')).toMatchObject({ items: sent.items, extra: { platform } });
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

describe('of 600 extra fields', () => {
  const extra = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [n.toString(36), 1]));
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
