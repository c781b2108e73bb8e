import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import { storeProduct } from '../src/products/productRows.js';
import { issueSigningKey } from '../src/teams/issueSigningKey.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { type Answer, startTestServer } from './server.js';
import { addTestSource } from './sources.js';

/** A fault of what stands between the server and PostgreSQL: changes the rows of an answer. */
type Fault = (rows: readonly object[]) => readonly object[];

const loseFirst: Fault = (rows) => rows.slice(1);
const loseLast: Fault = (rows) => rows.slice(0, -1);
const loseAll: Fault = () => [];
const doubleFirst: Fault = (rows) => [...rows.slice(0, 1), ...rows.slice(0, 1), ...rows.slice(2)];
const losses = { loseFirst, loseLast, loseAll, doubleFirst };
const reverse: Fault = (rows) => [...rows].reverse();

/** Faults by the name of the statement. */
const faults = new Map<string, Fault>();

/** A statement of postgres.js, with the function that gets its answer. */
type Asked = Promise<object[]> & { resolve(rows: readonly object[]): void };

/** A pool whose answers have the faults. */
function withFaults(sql: Sql): Sql {
  const ask = sql as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => Asked;
  const askFaulty: typeof ask = (strings, ...values) => {
    const query = ask(strings, ...values);
    const name = strings.raw && /^\/\* (\w+) \*\//.exec(strings[0]!)?.[1];
    if (!name) return query;
    const { resolve } = query;
    query.resolve = (rows) => resolve(faults.get(name)?.(rows) ?? rows);
    return query;
  };
  return Object.assign(askFaulty, sql) as unknown as Sql;
}

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer({ watching: withFaults });
});
afterEach(() => faults.clear());
afterAll(() => server.close());

const statusOf = ({ status }: Answer) => status;
const emails = Array.from({ length: 8 }, (_, n) => `buyer-${n}@shop.example`);

/** A shop with eight buyers, of whom each is in no sequence yet. */
async function shop() {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const order = (n: number, over: object = {}) => ({ teamId, email: emails[n % 8], amount: n + 1, ...over });
  const bought = await Promise.all(emails.map((_, n) => server.report(order(n, { orderId: `first-${n}` }))));
  return { uuid, teamId, key, order, peopleIds: bought.map(({ body }) => body.data.peopleId) };
}

async function addSequence(teamUuid: string): Promise<string> {
  const id = newUuid();
  await server.sql`insert into sequence (team_id, id, name) values (${teamUuid}, ${id}, 'Welcome')`;
  return encodeId('seq', id);
}

describe('an answer that lost rows', () => {
  it.each(Object.keys(losses) as (keyof typeof losses)[])(
    'about enrollments (%s) tells nobody another’s id, and ends in 503 until it is whole',
    async (name) => {
      const { uuid, key, peopleIds } = await shop();
      const sequenceId = await addSequence(uuid);
      const enrollAll = () => Promise.all(emails.map((email) => server.enroll(key, { email, sequenceId })));
      faults.set('lookUpEnrollments', losses[name]);
      for (const [n, { status, body }] of (await enrollAll()).entries()) {
        if (status === 200) expect(body.data.peopleId).toBe(peopleIds[n]);
        else expect(status).toBe(503);
      }
      faults.clear();
      faults.set('addSubscriptions', losses[name]);
      for (const { status, body } of await enrollAll()) {
        if (status === 200) expect(body.data.subscriptionId).toMatch(/^sub_/);
        else expect(status).toBe(503);
      }
      faults.clear();
      expect((await enrollAll()).map(({ body }) => body.data.peopleId)).toEqual(peopleIds);
    },
  );

  it('about all enrollments of a batch refuses each', async () => {
    const { uuid, key } = await shop();
    const sequenceId = await addSequence(uuid);
    faults.set('lookUpEnrollments', loseAll);
    const answers = await Promise.all(emails.map((email) => server.enroll(key, { email, sequenceId })));
    expect(answers.map(statusOf)).toEqual(Array(8).fill(503));
  });

  it.each(Object.keys(losses) as (keyof typeof losses)[])(
    'about products (%s) shows nobody another one',
    async (name) => {
      const { uuid, key } = await shop();
      const slugs = Array.from({ length: 8 }, (_, n) => `tee-${n}`);
      for (const slug of slugs) {
        const at = new Date().toISOString();
        const body = JSON.stringify({ success: true, data: { slug } });
        const row = { id: newUuid(), slug, document: '{}', body, etag: `"${slug}"` };
        await storeProduct(server.sql, uuid, { ...row, createdAt: at, updatedAt: at });
      }
      const authorization = { authorization: `Bearer ${key}` };
      const getAll = () =>
        Promise.all(
          slugs.map((slug) => server.send('GET', `/svc-api/v1/products/${slug}`, { headers: authorization })),
        );
      faults.set('findProducts', losses[name]);
      for (const [n, { status, text }] of (await getAll()).entries()) {
        if (status === 200) expect(text).toContain(slugs[n]);
        else expect(status).toBe(503);
      }
      faults.set('findProducts', reverse);
      for (const [n, { text }] of (await getAll()).entries()) expect(text).toContain(slugs[n]);
    },
  );

  it('about teams and keys is 503, not the refusal of one that does not exist', async () => {
    for (const name of ['findKeys', 'findTeams']) faults.set(name, loseAll);
    const { uuid, teamId } = await server.addTeam('shop.example');
    const key = await server.addKey(uuid);
    const order = { teamId, email: 'ann@buyer.example', amount: 1 };
    expect(statusOf(await server.report(order))).toBe(503);
    expect(statusOf(await server.reportByKey(key, order))).toBe(503);
    faults.clear();
    expect(statusOf(await server.report(order))).toBe(200);
    expect(statusOf(await server.reportByKey(key, order))).toBe(200);
  });

  it('about the mode of a key is 503, not 401', async () => {
    const { key } = await shop();
    const get = (id: string) =>
      server.send('GET', `/svc-api/v1/orders/${id}`, { headers: { authorization: `Bearer ${key}` } });
    const id = encodeId('ord', newUuid());
    expect(statusOf(await get(id))).toBe(404);
    faults.set('findKeyMode', loseAll);
    expect(statusOf(await get(id))).toBe(503);
  });

  it('about signing keys is 503, not 403', async () => {
    const { uuid, order } = await shop();
    const { key } = (await issueSigningKey(server.sql, uuid, { isTest: false, name: null }))!;
    const sent = order(0, { orderId: 'signed' });
    const text = [sent.teamId, 'signed', sent.email, sent.amount, 'USD'].join('\n');
    const signed = { ...sent, signature: createHmac('sha256', key).update(text).digest('hex') };
    faults.set('findSigningKeys', loseAll);
    expect(statusOf(await server.report(signed))).toBe(503);
    faults.clear();
    expect(statusOf(await server.report(signed))).toBe(200);
  });

  it('about a source is 503, not 404', async () => {
    const { uuid } = await server.addTeam();
    const source = await addTestSource(server, uuid, { kind: 'shopify' });
    const say = () => source.say({}, 'orders/updated');
    const whole = statusOf(await say());
    faults.set('findSources', loseAll);
    expect(statusOf(await say())).toBe(503);
    faults.clear();
    expect(statusOf(await say())).toBe(whole);
  });
});

describe('an answer to reports of orders', () => {
  /** 40 reports at the same time, of which every other is of a page that may not report. */
  async function reportMany(teamId: string, name: string) {
    const sent = Array.from({ length: 40 }, (_, n) => {
      const isForeign = n % 2 === 1;
      const origin = isForeign ? 'https://foreign.example' : 'https://shop.example';
      const order = { teamId, email: emails[n % 8], amount: n + 1, orderId: `${name}-${n}` };
      return { orderId: order.orderId, isForeign, answer: server.report(order, { origin }) };
    });
    return Promise.all(sent.map(async ({ answer, ...rest }) => ({ ...rest, answer: await answer })));
  }
  const isStored = async (orderId: string) =>
    (await server.sql`select from placed_order where order_id = ${orderId}`).length === 1;

  it.each(Object.keys(losses) as (keyof typeof losses)[])(
    'that lost rows (%s) acknowledges nothing that is not stored',
    async (name) => {
      const { teamId } = await shop();
      faults.set('reportOrders', losses[name]);
      for (const { orderId, isForeign, answer } of await reportMany(teamId, name)) {
        if (answer.status !== 200) expect(isForeign ? [403, 503] : [503]).toContain(answer.status);
        else expect([isForeign, await isStored(orderId)]).toEqual([false, true]);
      }
      faults.clear();
      const again = await reportMany(teamId, name);
      expect(again.map(({ answer }) => answer.status)).toEqual(Array(20).fill([200, 403]).flat());
    },
  );

  it('that is another statement’s acknowledges nothing', async () => {
    const { order } = await shop();
    let former: readonly object[] = [];
    faults.set('reportOrders', (rows) => {
      former = rows;
      return rows;
    });
    expect(statusOf(await server.report(order(0, { orderId: 'former' })))).toBe(200);
    faults.set('reportOrders', () => former);
    expect(statusOf(await server.report(order(1, { orderId: 'later' })))).toBe(503);
  });
});
