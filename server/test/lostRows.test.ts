import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../src/database/connection/connect.js';
import { createSequence } from '../src/people/sql/sequence.js';
import { storeProduct } from '../src/products/productRows.js';
import { issueSigningKey } from '../src/teams/issueSigningKey.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { type Answer, startTestServer } from './server.js';
import { openShop } from './shop.js';
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
const kindsOfLoss = Object.keys(losses) as (keyof typeof losses)[];

/** A shop with eight buyers and a sequence that none of them is in. */
async function shopWithBuyers() {
  const shop = await openShop(server);
  const bought = await Promise.all(emails.map((email) => shop.report({ email })));
  const sequence = newUuid();
  await createSequence(server.sql, shop.team, { id: sequence, name: 'Welcome' });
  const sequenceId = encodeId('seq', sequence);
  const enrollAll = () => Promise.all(emails.map((email) => shop.enroll({ email, sequenceId })));
  return { ...shop, enrollAll, peopleIds: bought.map(({ body }) => body.data.peopleId) };
}

describe('an answer that lost rows', () => {
  it.each(kindsOfLoss)(
    'about enrollments (%s) tells nobody another’s id, and ends in 503 until it is whole',
    async (name) => {
      const { enrollAll, peopleIds } = await shopWithBuyers();
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
    const { enrollAll } = await shopWithBuyers();
    faults.set('lookUpEnrollments', loseAll);
    expect((await enrollAll()).map(statusOf)).toEqual(Array(8).fill(503));
  });

  it.each(kindsOfLoss)('about products (%s) shows nobody another one', async (name) => {
    const { team, send } = await openShop(server);
    const slugs = Array.from({ length: 8 }, (_, n) => `tee-${n}`);
    for (const slug of slugs) {
      const at = new Date().toISOString();
      const body = JSON.stringify({ success: true, data: { slug } });
      const row = { id: newUuid(), slug, document: '{}', body, etag: `"${slug}"` };
      await storeProduct(server.sql, team, { ...row, createdAt: at, updatedAt: at });
    }
    const getAll = () => Promise.all(slugs.map((slug) => send('GET', `/svc-api/v1/products/${slug}`)));
    faults.set('findProducts', losses[name]);
    for (const [n, { status, text }] of (await getAll()).entries()) {
      if (status === 200) expect(text).toContain(slugs[n]);
      else expect(status).toBe(503);
    }
    faults.set('findProducts', reverse);
    for (const [n, { text }] of (await getAll()).entries()) expect(text).toContain(slugs[n]);
  });

  it('about teams and keys is 503, not the refusal of one that does not exist', async () => {
    for (const name of ['findKeys', 'findTeams']) faults.set(name, loseAll);
    const { report, reportByKey } = await openShop(server);
    for (const send of [report, reportByKey]) expect(statusOf(await send())).toBe(503);
    faults.clear();
    for (const send of [report, reportByKey]) expect(statusOf(await send())).toBe(200);
  });

  it('about the mode of a key is 503, not 401', async () => {
    const { read } = await openShop(server);
    const id = encodeId('ord', newUuid());
    expect(statusOf(await read(id))).toBe(404);
    faults.set('findKeyMode', loseAll);
    expect(statusOf(await read(id))).toBe(503);
  });

  it('about signing keys is 503, not 403', async () => {
    const { team, order, report } = await openShop(server);
    const { key } = (await issueSigningKey(server.sql, team, { isTest: false, name: null }))!;
    const sent = order();
    const text = [sent.teamId, sent.orderId, sent.email, sent.amount, 'USD'].join('\n');
    const signed = { ...sent, signature: createHmac('sha256', key).update(text).digest('hex') };
    faults.set('findSigningKeys', loseAll);
    expect(statusOf(await report(signed))).toBe(503);
    faults.clear();
    expect(statusOf(await report(signed))).toBe(200);
  });

  it('about a source is 503, not 404', async () => {
    const { team } = await openShop(server);
    const source = await addTestSource(server, team, { kind: 'shopify' });
    const say = () => source.say({}, 'orders/updated');
    const whole = statusOf(await say());
    faults.set('findSources', loseAll);
    expect(statusOf(await say())).toBe(503);
    faults.clear();
    expect(statusOf(await say())).toBe(whole);
  });
});

describe('an answer to reports of orders', () => {
  it.each(kindsOfLoss)('that lost rows (%s) acknowledges nothing that is not stored', async (name) => {
    const { report, stored } = await openShop(server);
    /** 40 reports at the same time, of which every other is of a page that may not report. */
    const reportMany = () =>
      Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const orderId = `o-${n}`;
          const isForeign = n % 2 === 1;
          const headers = isForeign ? { origin: 'https://foreign.example' } : {};
          return { orderId, isForeign, ...(await report({ email: emails[n % 8], orderId }, headers)) };
        }),
      );
    faults.set('reportOrders', losses[name]);
    const answers = await reportMany();
    const storedIds = (await stored()).map(({ orderId }) => orderId);
    for (const { orderId, isForeign, status } of answers) {
      if (status !== 200) expect(isForeign ? [403, 503] : [503]).toContain(status);
      else expect([isForeign, storedIds.includes(orderId)]).toEqual([false, true]);
    }
    faults.clear();
    expect((await reportMany()).map(statusOf)).toEqual(Array(20).fill([200, 403]).flat());
  });

  it('that is another statement’s acknowledges nothing', async () => {
    const { report } = await openShop(server);
    let former: readonly object[] = [];
    faults.set('reportOrders', (rows) => {
      former = rows;
      return rows;
    });
    expect(statusOf(await report())).toBe(200);
    faults.set('reportOrders', () => former);
    expect(statusOf(await report())).toBe(503);
  });
});
