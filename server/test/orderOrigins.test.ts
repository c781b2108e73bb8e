import { describe, expect, it } from 'vitest';
import { erasePerson } from '../src/commands/personErase.js';
import { createKeepSums } from '../src/console/keepSums.js';
import { readOrigins } from '../src/console/sql/originSums.js';
import type { OriginPart, TouchChoice } from '../src/orders/sql/orderOrigins.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

const hourMs = 3_600_000;
/** A page goes on after 0.1 s, while sums are being made. These tests wait until they are made. */
const untilSummedMs = 10 * 60_000;

async function start() {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  const person = newUuid();
  await sql`insert into person (team_id, id, email) values (${uuid}, ${person}, 'ann@buyer.example')`;
  const keepSums = createKeepSums((statement) => Promise.resolve(statement(sql)), untilSummedMs);
  let count = 0;

  /** Stores an order as if it had been reported so long ago. */
  async function place(agoMs: number, more: Record<string, unknown> = {}) {
    count += 1;
    const row = {
      currency: 'USD',
      amount: 10,
      is_test: false,
      reported_by: 'browser',
      person_id: person,
      ...more,
    };
    await sql`
      insert into placed_order ${sql({
        ...row,
        team_id: uuid,
        id: newUuid(Date.now() - agoMs),
        order_number: `ORD-${count}`,
        order_id: `o-${count}`,
        source: 'OTHER',
        created_at: new Date(Date.now() - agoMs),
      })}`;
  }

  const since = new Date(Date.now() - 30 * 24 * hourMs);
  /** The origins of 30 days as the console shows them, once everything is summed: kind, name, orders and money. */
  async function origins(touch: TouchChoice, by: OriginPart = 'source', isTest = false) {
    await keepSums(uuid, since);
    const span = { from: since, to: new Date(Date.now() + hourMs) };
    return short(await readOrigins(sql, uuid, { span, isTest, touch, by }));
  }

  const command = (...args: string[]) => runOrderbeacon([...args, '--team', teamId], server.env);
  /** The origins that the command prints. */
  async function printed(...options: string[]) {
    const { stdout } = await command('order', 'sources', '--json', ...options);
    return short(JSON.parse(stdout));
  }
  return { ...server, uuid, teamId, person, place, origins, command, printed };
}

type PrintedOrigin = {
  kind: string;
  name: string;
  orders: number;
  money: { currency: string; amount: string }[];
};
const short = (rows: readonly PrintedOrigin[]) =>
  rows.map(({ kind, name, orders, money }) => [
    kind,
    name,
    orders,
    money.map(({ currency, amount }) => `${amount} ${currency}`).join(' + '),
  ]);

const touch = (more: Record<string, unknown> = {}) => ({ at: null, path: '/', referrer: null, ...more });
const newsletter = touch({ source: 'Newsletter', medium: 'email', campaign: 'Spring' });
const google = touch({ source: 'google', medium: 'cpc', campaign: 'shoes' });

/** Orders of one of each kind, old enough to be summed, and one of now. */
async function startWithEach() {
  const server = await start();
  const { place } = server;
  await place(5 * hourMs, { first_touch: newsletter, last_touch: google, amount: 20 });
  await place(5 * hourMs, { first_touch: touch({ source: 'NEWSLETTER' }), currency: 'EUR' });
  await place(70 * hourMs, { first_touch: newsletter });
  await place(3 * hourMs, { first_touch: touch({ referrer: 'blog.example' }) });
  await place(3 * hourMs, { first_touch: touch() });
  await place(3 * hourMs);
  await place(3 * hourMs, { first_touch: google, is_test: true });
  await place(0, { first_touch: newsletter });
  return server;
}

const first = [
  ['named', 'newsletter', 4, '40 USD + 10 EUR'],
  ['named', 'blog.example', 1, '10 USD'],
  ['direct', '', 1, '10 USD'],
  ['unknown', '', 1, '10 USD'],
];
const last = [
  ['named', 'newsletter', 3, '20 USD + 10 EUR'],
  ['named', 'blog.example', 1, '10 USD'],
  ['named', 'google', 1, '20 USD'],
  ['direct', '', 1, '10 USD'],
  ['unknown', '', 1, '10 USD'],
];

describe('where orders come from', () => {
  it('is told by first and last touch, with direct and unknown apart, and test orders apart', async () => {
    const { origins } = await startWithEach();
    expect(await origins('first')).toEqual(first);
    expect(await origins('last')).toEqual(last);
    expect(await origins('last', 'campaign')).toEqual([
      ['named', '', 2, '10 EUR + 10 USD'],
      ['named', 'spring', 2, '20 USD'],
      ['named', 'shoes', 1, '20 USD'],
      ['direct', '', 1, '10 USD'],
      ['unknown', '', 1, '10 USD'],
    ]);
    expect(await origins('first', 'medium', true)).toEqual([['named', 'cpc', 1, '10 USD']]);
  });

  it('is not called direct where a link names a campaign or medium, but no source', async () => {
    const { place, origins, printed } = await start();
    const mail = touch({ medium: 'email', campaign: 'Spring' });
    await place(5 * hourMs, { first_touch: google, last_touch: mail });
    await place(0, { first_touch: touch({ campaign: 'spring' }) });
    expect(await origins('last')).toEqual([['named', '', 2, '20 USD']]);
    expect(await origins('last', 'campaign')).toEqual([['named', 'spring', 2, '20 USD']]);
    expect(await printed('--touch', 'last', '--by', 'medium')).toEqual([
      ['named', '', 1, '10 USD'],
      ['named', 'email', 1, '10 USD'],
    ]);
  });

  it('is the same by the command, straight from the orders', async () => {
    const { printed } = await startWithEach();
    expect(await printed()).toEqual(first);
    expect(await printed('--touch', 'last')).toEqual(last);
    expect(await printed('--since', '4h', '--until', '1h')).toEqual([
      ['named', 'blog.example', 1, '10 USD'],
      ['direct', '', 1, '10 USD'],
      ['unknown', '', 1, '10 USD'],
    ]);
    expect(await printed('--test', '--by', 'campaign')).toEqual([['named', 'shoes', 1, '10 USD']]);
  });

  it('stays right when a summed order changes, moves, is discarded, or its buyer is erased', async () => {
    const { origins, place, sql, uuid, teamId, addKey, reportByKey, command, person } = await start();
    for (const order of [1, 2, 3]) await place(order * 5 * hourMs, { first_touch: newsletter });
    await place(4 * hourMs, { first_touch: google });
    expect((await origins('first')).map(([, name, orders]) => [name, orders])).toEqual([
      ['newsletter', 3],
      ['google', 1],
    ]);

    await sql`update placed_order set first_touch = ${JSON.stringify(google)}::text::json, merged_at = now() where team_id = ${uuid} and order_id = 'o-1'`;
    await command('order', 'discard', 'ORD-2');
    await reportByKey(await addKey(uuid), { teamId, email: 'bob@buyer.example', amount: 7, orderId: 'o-3' });
    expect(await origins('first')).toEqual([
      ['named', 'google', 2, '20 USD'],
      ['unknown', '', 1, '7 USD'],
    ]);

    await erasePerson(sql, uuid, person);
    expect(await origins('first')).toEqual([['unknown', '', 3, '27 USD']]);
  });

  it('is a short page of few rows, whose sums are right, with 60,000 made-up campaigns', async () => {
    const server = await start();
    const { sql, uuid, teamId, person, place, origins, printed } = server;
    for (const minute of [1, 2]) {
      await place(5 * hourMs + minute * 60_000, { first_touch: google, reported_by: 'both' });
    }
    await sql`
      insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at, first_touch)
      select ${uuid}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'M-' || n, ${person}, 1, 'USD',
        'OTHER', false, 'browser', now() - interval '5 hours',
        json_build_object('source', 's' || n, 'campaign', repeat(md5(n::text), 7))
      from generate_series(1, 60000) n`;
    // The sums take ids for the order of storing.
    await sql`
      update placed_order set id = (left(${newUuid(Date.now() - 5 * hourMs)}, 14) || right(id::text, 22))::uuid
      where order_number like 'M-%'`;
    const rows = await origins('first');
    expect(rows).toHaveLength(11);
    expect(rows[0]).toEqual(['named', 'google', 2, '20 USD']);
    expect(rows.at(-1)![0]).toBe('others');
    expect(rows.reduce((sum, [, , orders]) => sum + Number(orders), 0)).toBe(60_002);
    expect(rows.at(-1)).toEqual(['others', '', 59_991, '59991 USD']);
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::int from order_origin_sum`;
    expect(count).toBeLessThan(100);
    expect(await printed()).toEqual(rows);

    const { get } = await signIn(server, teamId);
    const { text } = await get('/console?by=campaign');
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('Others');
  });
});

describe('the console', () => {
  it('shows origins by first or last touch without a script, and the way and other fields of an order', async () => {
    const { report, sql, teamId, uuid, url } = await start();
    const landing = (parameters: string) =>
      Buffer.from(`${Date.now()} undefined ${parameters} /shoes`).toString('base64');
    const landings = `${landing('?utm_source=News,&utm_campaign=<b>spring')}.${landing('?gclid=')}`;
    await report({ teamId, email: 'ann@buyer.example', amount: 49.9, visitorId: 'v', landings, tax: 7.5 });
    const { get } = await signIn({ sql, url }, teamId);

    const { text } = await get('/console?range=7d');
    const rowOf = (page: string) =>
      page.match(/<h2 id="origins">.*?<tbody>(.*?)<\/tbody>/s)?.[1]?.replace(/<[^>]+>/g, ' ');
    expect(rowOf(text)).toMatch(/^\s*news\s+1\s+\$49\.90\s*$/);
    const link = /href="([^"]*touch=last[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect(link).toContain('range=7d');
    expect(rowOf((await get(link)).text)).toMatch(/^\s*google\s+1\s+\$49\.90\s*$/);
    expect(rowOf((await get('/console?by=campaign')).text)).toContain('&lt;b&gt;spring');

    const [{ id }] = await sql<[{ id: string }]>`select id from placed_order where team_id = ${uuid}`;
    const order = (await get(`/console/orders/${encodeId('ord', id)}`)).text.replace(/<[^>]+>/g, ' ');
    expect(order).toContain('News, &lt;b&gt;spring, same day; back by google cpc, same day');
    expect(order).toMatch(/Other fields\s+tax\s+7\.5/);
  });

  it('says what to do where no order has a landing', async () => {
    const { report, sql, teamId, url } = await start();
    await report({ teamId, email: 'ann@buyer.example', amount: 49.9 });
    const { get } = await signIn({ sql, url }, teamId);
    expect((await get('/console')).text).toContain('Put the script on every page');
  });
});
