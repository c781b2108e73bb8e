import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSecret } from '../src/database/installation.js';
import { inTransaction } from '../src/database/inTransaction.js';
import { personUuid } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { findWaitsBehind } from './lockWaits.js';
import { startTestServer } from './server.js';
import { temporaryFolder } from './temporaryFolder.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Runs `order compare --json` on a CSV that it reads from stdin. */
async function compare(teamId: string, csv: string | Buffer, ...options: string[]) {
  const args = ['order', 'compare', '--team', teamId, '-', '--json', ...options];
  const { code, stdout, stderr } = await runOrderbeacon(args, server.env, csv);
  return { code, stderr, json: stdout ? JSON.parse(stdout) : null };
}

const ids = (list: { orderId: string | null }[]) => list.map(({ orderId }) => orderId);

/** A team with a live key, and a function that reports its orders. */
async function shop() {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const report = async (orderId: string | undefined, amount: number, rest: object = {}, headers = {}) => {
    const body = {
      teamId,
      email: 'ann@buyer.example',
      amount,
      currency: 'EUR',
      ...(orderId && { orderId }),
      ...rest,
    };
    const answer = await server.reportByKey(key, body, headers);
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  /** The stored orders, the oldest first. */
  const stored = () =>
    server.sql`
      select order_id as "orderId", amount, currency, source, o.name, email, reported_by as "reportedBy", is_test as "isTest",
        o.created_at as "createdAt"
      from placed_order o join person on person.team_id = o.team_id and person.id = person_id
      where o.team_id = ${uuid} order by o.created_at, order_id`;
  /** Dates an order as if it had come then. */
  const date = async (orderId: string, at: string) =>
    server.sql`update placed_order set created_at = ${at} where team_id = ${uuid} and order_id = ${orderId}`;
  return { uuid, teamId, key, report, stored, date };
}

describe('order compare', () => {
  it('tells which orders are missing, which differ, and which are only here within the dates of the file', async () => {
    const { teamId, report, date } = await shop();
    for (const [id, amount] of [
      ['same', 49.9],
      ['amount', 10],
      ['currency', 20],
      ['extra', 30],
      ['before', 40],
      ['after', 50],
    ] as const)
      await report(id, amount);
    for (const id of ['same', 'amount', 'currency', 'extra']) await date(id, '2026-05-02T12:00Z');
    await date('before', '2026-04-30T23:59Z');
    await date('after', '2026-05-04T00:01Z');
    const csv = [
      'orderId,amount,currency,createdAt,email',
      'same,49.90,EUR,2026-05-01,ann@buyer.example',
      'amount,11,EUR,2026-05-02,ann@buyer.example',
      'currency,20,USD,2026-05-02,ann@buyer.example',
      'gone,"1.234,50",eur,2026-05-03,bob@buyer.example',
    ].join('\n');
    const { code, json, stderr } = await compare(teamId, csv);
    expect(code).toBe(1);
    expect(stderr).toBe('');
    expect(json).toMatchObject({
      format: 'Orderbeacon',
      orders: 4,
      equal: 1,
      counts: { missing: 1, different: 2, onlyHere: 1, unread: 0 },
      since: '2026-05-01T00:00:00.000Z',
      until: '2026-05-04T00:00:00.000Z',
      missing: [
        {
          line: 5,
          orderId: 'gone',
          amount: 1234.5,
          currency: 'EUR',
          email: 'bob@buyer.example',
          createdAt: '2026-05-03T00:00:00.000Z',
        },
      ],
      different: [
        {
          line: 3,
          orderId: 'amount',
          orderNumber: expect.stringMatching(/^ORD-/),
          inFile: { amount: 11, currency: 'EUR' },
          here: { amount: 10, currency: 'EUR' },
        },
        {
          orderId: 'currency',
          inFile: { amount: 20, currency: 'USD' },
          here: { amount: 20, currency: 'EUR' },
        },
      ],
      onlyHere: [
        {
          orderId: 'extra',
          amount: 30,
          currency: 'EUR',
          createdAt: '2026-05-02T12:00:00.000Z',
          reportedBy: 'key',
        },
      ],
      unread: [],
      stored: 0,
      notStored: [],
    });
    const asText = await runOrderbeacon(['order', 'compare', '--team', teamId, '-'], server.env, csv);
    expect(asText.code).toBe(1);
    expect(asText.stdout).toContain(
      'Missing here (1):\n  gone  1234.5 EUR  bob@buyer.example  2026-05-03T00:00:00.000Z\n',
    );
    expect(asText.stdout).toMatch(
      /Different \(2\):\n {2}amount {2}ORD-\w+ {2}11 EUR in the file {2}10 EUR here\n/,
    );
    expect(asText.stdout).toMatch(/Only here \(1\):\n {2}extra {2}ORD-\w+ {2}30 EUR {2}2026/);
    expect(asText.stdout).toContain(
      '4 paid orders (Orderbeacon): 1 equal, 1 missing here, 2 different; 1 only here, 0 rows not read.',
    );
  });

  it('ends with 0 where nothing differs, with its own export too', async () => {
    const { teamId, report } = await shop();
    await report('007', 49.9, { name: '=Ann' });
    await report('+A,"1"', 1234.5);
    for (const more of [['--excel'], []]) {
      const args = ['order', 'export', '--team', teamId, '--format', 'csv', ...more];
      const { stdout } = await runOrderbeacon(args, server.env);
      const { code, json } = await compare(teamId, stdout);
      expect(json).toMatchObject({
        orders: 2,
        equal: 2,
        missing: [],
        different: [],
        onlyHere: [],
        unread: [],
      });
      expect(code).toBe(0);
    }
  });

  it('without dates in the file compares with all orders, and with none where the file has none', async () => {
    const { teamId, report } = await shop();
    await report('A', 1);
    await report('B', 2);
    expect(ids((await compare(teamId, 'orderId,amount\nA,1\n')).json.onlyHere)).toEqual(['B']);
    const empty = await compare(teamId, 'orderId,amount\n');
    expect([empty.code, empty.json.orders, empty.json.onlyHere]).toEqual([0, 0, []]);
  });

  it('orders that were not paid count neither as missing nor as known', async () => {
    const { teamId, report } = await shop();
    await report('101', 5);
    const csv = 'order_number,order_total,status\n101,5,cancelled\n102,6,pending\n103,7,pending\n';
    const { code, json } = await compare(teamId, csv);
    expect(json).toMatchObject({
      orders: 0,
      unpaid: { cancelled: 1, pending: 2 },
      missing: [],
      onlyHere: [],
    });
    expect(code).toBe(0);
    const text = await runOrderbeacon(['order', 'compare', '--team', teamId, '-'], server.env, csv);
    expect(text.stdout).toContain('No row counts as paid');
    const paid = await compare(teamId, `${csv}104,8,completed\n`);
    expect(ids(paid.json.onlyHere)).toEqual(['101']);
    expect(ids(paid.json.missing)).toEqual(['104']);
  });

  it('several lines of one order count once, and lines that contradict each other are named', async () => {
    const { teamId } = await shop();
    const { code, json } = await compare(teamId, 'orderId,amount\nA,5\nA,5.00\nB,6\nA,7\n');
    expect(json).toMatchObject({
      orders: 2,
      unread: [
        {
          line: 5,
          orderId: 'A',
          message: 'another line of this order has another amount, currency or status',
        },
      ],
    });
    expect(ids(json.missing)).toEqual(['A', 'B']);
    expect(code).toBe(1);
  });

  it('live and test are two worlds, in the file too', async () => {
    const { uuid, teamId, report } = await shop();
    const testKey = await server.addKey(uuid, 'test');
    await report('A', 5);
    await server.reportByKey(testKey, { teamId, orderId: 'T', email: 'ann@buyer.example', amount: 6 });
    const csv = 'orderId,amount,isTest\nA,5,false\nT,6,true\n';
    expect((await compare(teamId, csv)).json).toMatchObject({
      equal: 1,
      otherMode: 1,
      missing: [],
      onlyHere: [],
    });
    expect((await compare(teamId, csv, '--test')).json).toMatchObject({
      equal: 1,
      otherMode: 1,
      missing: [],
      onlyHere: [],
    });
    const other = await compare(teamId, 'orderId,amount\nA,5\n', '--test');
    expect([ids(other.json.missing), ids(other.json.onlyHere)]).toEqual([['A'], ['T']]);
  });

  it('an order that is known by its payment is no missing one', async () => {
    const { teamId, report } = await shop();
    await report('cs_1', 5, {}, { 'idempotency-key': 'pi_1' });
    await report('cs_2', 6);
    await report('cs_2', 6, {}, { 'idempotency-key': 'pi_2' });
    const csv =
      'id,Amount,Amount Refunded,Currency,Status,PaymentIntent ID\nch_1,5,0,eur,Paid,pi_1\nch_2,6,0,eur,Paid,pi_2\nch_3,7,0,eur,Paid,pi_3\n';
    const { json } = await compare(teamId, csv);
    expect(json).toMatchObject({ equal: 2, onlyHere: [], different: [] });
    expect(ids(json.missing)).toEqual(['pi_3']);
  });

  it('an export without totals compares ids only, and says so', async () => {
    const { teamId, report } = await shop();
    await report('101', 59.9);
    const csv =
      'Date,Order #,Status,N. Revenue\n2026-05-01 12:00:00,101,completed,40\n2026-05-01 12:00:00,102,completed,40\n';
    const { json } = await compare(teamId, csv);
    expect(json).toMatchObject({ equal: 1, different: [], comparesAmounts: false });
    expect(ids(json.missing)).toEqual(['102']);
    const text = await runOrderbeacon(['order', 'compare', '--team', teamId, '-'], server.env, csv);
    expect(text.stdout).toContain('Amounts were not compared');
  });

  it('says so when the ids of the file are others than those of the pages', async () => {
    const { teamId, report } = await shop();
    await report('#1001', 5);
    const { json } = await compare(teamId, 'orderId,amount\n7410991464714,5\n');
    expect(json.otherIds).toEqual({ inFile: '7410991464714', here: '#1001' });
    const text = await runOrderbeacon(
      ['order', 'compare', '--team', teamId, '-'],
      server.env,
      'orderId,amount\n7410991464714,5\n',
    );
    expect(text.stdout).toContain('Name the column that has the ids of your pages: --order-id.');
  });

  it('a bad file ends with 2 and one line, and writes no half document', async () => {
    const { teamId } = await shop();
    const rows = 'A,1\n'.repeat(3_000);
    for (const [csv, line] of [
      ['', 'The file is empty.'],
      ['id,total\n1,2\n', 'The first line must name the columns'],
      [`orderId,amount\n${rows}"B,1\n${'x,1\n'.repeat(400_000)}`, 'a quote is not closed'],
    ]) {
      const { code, json, stderr } = await compare(teamId, csv!);
      expect([code, json]).toEqual([2, null]);
      expect(stderr).toContain(line);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    const noFile = await runOrderbeacon(
      ['order', 'compare', '--team', teamId, '/no/such/file.csv'],
      server.env,
    );
    expect(noFile).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot read /no/such/file.csv: ENOENT'),
    });
  });

  it('reads a file by its name, and shows hostile texts inert', async () => {
    const { teamId } = await shop();
    const path = join(temporaryFolder(), 'orders.csv');
    writeFileSync(path, 'orderId,amount,email\n\u001b[2J,5,<script>\n');
    const { stdout } = await runOrderbeacon(['order', 'compare', '--team', teamId, path], server.env);
    expect(stdout).toContain('\uFFFD[2J  5  <script>');
  });
});

describe('order compare --store', () => {
  it('stores the missing orders once, at their own dates, as reports with a key, however often it runs', async () => {
    const { teamId, report, stored } = await shop();
    await report('A', 5);
    const csv = [
      'orderId,amount,currency,email,createdAt,name,source',
      'A,5,EUR,ann@buyer.example,2026-05-01,,',
      'B,49.90,EUR, Bob@Buyer.example ,2026-05-01T10:00:00+02:00,Bob Lee,',
      'C,10,JPY,cid@buyer.example,2026-05-02,,paypal',
    ].join('\n');
    const first = await compare(teamId, csv, '--store');
    expect(first.json).toMatchObject({ stored: 2, notStored: [], onlyHere: [] });
    expect(ids(first.json.missing)).toEqual(['B', 'C']);
    expect(first.code).toBe(0);
    const second = await compare(teamId, csv, '--store');
    expect(second.json).toMatchObject({ stored: 0, equal: 3, missing: [], different: [], onlyHere: [] });
    expect(second.code).toBe(0);
    expect(await stored()).toMatchObject([
      {
        orderId: 'B',
        amount: '49.9',
        currency: 'EUR',
        source: 'MANUAL',
        name: 'Bob Lee',
        email: 'bob@buyer.example',
        reportedBy: 'key',
        isTest: false,
        createdAt: new Date('2026-05-01T08:00:00Z'),
      },
      {
        orderId: 'C',
        amount: '10',
        currency: 'JPY',
        source: 'PAYPAL',
        createdAt: new Date('2026-05-02T00:00:00Z'),
      },
      { orderId: 'A', amount: '5' },
    ]);
  });

  it('needs no API key of the team, and shows none', async () => {
    const { uuid, teamId } = await server.addTeam();
    const { json } = await compare(teamId, 'orderId,amount,email\nA,5,ann@buyer.example\n', '--store');
    expect(json.stored).toBe(1);
    expect(await server.sql`select currency, reported_by from placed_order where team_id = ${uuid}`).toEqual([
      { currency: 'USD', reported_by: 'key' },
    ]);
    const { stdout } = await runOrderbeacon(['key', 'list', '--team', teamId, '--json'], server.env);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('names the orders that it cannot store, and stores the others', async () => {
    const { teamId, report, stored } = await shop();
    await report('other', 99, {}, { 'idempotency-key': 'pi_used' });
    const woo = [
      'order_number,order_total,order_currency,status,billing_email,order_date',
      '1,5,EUR,completed,,2026-05-01',
      '2,5,EUR,completed,no email,2026-05-01',
      '3,5,,completed,ann@buyer.example,2026-05-01',
      '4,5,EUR,completed,ann@buyer.example,',
      '5,6,EUR,completed,ann@buyer.example,2026-05-01',
    ].join('\n');
    const { code, json } = await compare(teamId, woo, '--store');
    expect(json.notStored).toEqual([
      { line: 2, orderId: '1', message: 'has no email' },
      { line: 4, orderId: '3', message: 'has no currency' },
      { line: 5, orderId: '4', message: 'has no date' },
      { line: 3, orderId: '2', message: expect.stringContaining('email') },
    ]);
    expect([code, json.stored]).toEqual([1, 1]);
    expect((await stored()).map(({ orderId }) => orderId)).toEqual(['5', 'other']);
  });

  it('takes no order for a missing one that is probably stored under another id', async () => {
    const { teamId, report, stored, date } = await shop();
    await report('#1001', 5);
    await report('#1002', 6);
    await report('1003', 7);
    for (const id of ['#1001', '#1002', '1003']) await date(id, '2026-05-01T10:00Z');
    const csv = [
      'orderId,amount,currency,email,createdAt',
      '1001,5,EUR,ann@buyer.example,2026-05-01T09:58:00Z',
      '1002,6,EUR,ann@buyer.example,2026-05-20T09:58:00Z',
      '1003,7,EUR,ann@buyer.example,2026-05-01T09:58:00Z',
      '1004,7,EUR,ann@buyer.example,2026-05-01T10:01:00Z',
    ].join('\n');
    const { json } = await compare(teamId, csv, '--store');
    expect(json.notStored).toEqual([
      { line: 2, orderId: '1001', message: expect.stringMatching(/probably stored as "#1001" \(ORD-\w+\)/) },
    ]);
    expect((await stored()).map(({ orderId }) => orderId)).toEqual([
      '#1001',
      '#1002',
      '1003',
      '1004',
      '1002',
    ]);
  });

  it('a later webhook of the payment finds the order that was stored', async () => {
    const { teamId, key, report, stored } = await shop();
    await report('A', 1);
    const csv =
      'id,Amount,Amount Refunded,Currency,Status,Customer Email\npi_9,5,0,eur,Paid,bob@buyer.example\n';
    expect((await compare(teamId, csv, '--store')).json.stored).toBe(1);
    const body = { teamId, orderId: 'cs_9', email: 'bob@buyer.example', amount: 5, currency: 'EUR' };
    const answer = await server.reportByKey(key, { ...body, orderId: 'pi_9' }, { 'idempotency-key': 'pi_9' });
    expect(answer.body.data.isNew).toBe(false);
    expect((await stored()).map(({ orderId, source }) => `${orderId} ${source}`).toSorted()).toEqual([
      'A MANUAL',
      'pi_9 STRIPE',
    ]);
  });

  it('two runs at the same time, and pages that report meanwhile, store each order once', async () => {
    const { uuid, teamId } = await shop();
    const numbers = Array.from({ length: 600 }, (_, n) => n);
    const csv = `orderId,amount,currency,email,createdAt\n${numbers
      .map((n) => `R${n},${n}.5,EUR,p${n}@buyer.example,2026-05-01T10:00:00Z`)
      .join('\n')}`;
    const page = (n: number) =>
      server.report({
        teamId,
        orderId: `R${n}`,
        email: `p${n}@buyer.example`,
        amount: n + 0.5,
        currency: 'EUR',
      });
    const [one, other, ...answers] = await Promise.all([
      compare(teamId, csv, '--store'),
      compare(teamId, csv, '--store'),
      ...numbers.filter((n) => n % 5 === 0).map(page),
    ]);
    expect([one!.code, other!.code]).toEqual([0, 0]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [sum] = await server.sql`
      select count(*)::int as orders, count(distinct order_id)::int as ids, sum(amount)::float8 as sum
      from placed_order where team_id = ${uuid}`;
    expect(sum).toEqual({ orders: 600, ids: 600, sum: (599 * 600) / 2 + 300 });
    expect((await compare(teamId, csv)).json).toMatchObject({
      equal: 600,
      missing: [],
      different: [],
      onlyHere: [],
    });
  });

  it('a run that loses its connection stores each order once with the run that follows', async () => {
    const { uuid, teamId } = await shop();
    const numbers = Array.from({ length: 3_000 }, (_, n) => n);
    const csv = `orderId,amount,currency,email\n${numbers.map((n) => `R${n},5,EUR,p${n}@buyer.example`).join('\n')}`;
    const count = async () =>
      (await server.sql`select count(*)::int as orders from placed_order where team_id = ${uuid}`)[0]!.orders;
    const email = 'p1000@buyer.example';
    const id = personUuid(await findSecret(server.sql), uuid, email);
    const ended = await inTransaction(server.sql, async (tx) => {
      // The run waits for this buyer, so that its connection is lost while it has a statement.
      await tx`insert into person (team_id, id, email) values (${uuid}, ${id}, ${email})`;
      const running = runOrderbeacon(['order', 'compare', '--team', teamId, '-', '--store'], server.env, csv);
      await expect.poll(() => findWaitsBehind(server.sql, tx)).toHaveLength(1);
      await tx`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      return running;
    });
    const between = await count();
    expect([ended.code, between > 0, between < 3_000]).toEqual([1, true, true]);
    expect(ended.stderr).toContain('Run it again: it stores those that are left.');
    const { code, json } = await compare(teamId, csv, '--store');
    expect([code, json.stored + json.equal]).toEqual([0, 3_000]);
    expect(await count()).toBe(3_000);
  });

  it('with --test stores tests', async () => {
    const { teamId, stored } = await shop();
    await compare(teamId, 'orderId,amount,email\nA,5,ann@buyer.example\n', '--store', '--test');
    expect(await stored()).toMatchObject([{ orderId: 'A', isTest: true }]);
  });
});
