import { expect, it } from 'vitest';
import { waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

const order = { email: 'ann@mail.example', amount: 1 };
const hostless = { origin: 'null' };
const foreign = { origin: 'https://other.example' };

/** A team that has refused a report: of a page with these headers, or of its key. */
async function refuse(report: object, sender: Record<string, string> | 'key') {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const keys = { live: await server.addKey(uuid), test: await server.addKey(uuid, 'test') };
  const waiting = async () => (await waitingOf(server.sql, uuid)).length;
  const byPage = async (body: object, headers?: Record<string, string>) =>
    (await server.report({ teamId, ...order, ...body }, headers)).status;
  const byKey = async (body: object, headers = {}, mode: keyof typeof keys = 'live') =>
    (await server.reportByKey(keys[mode], { teamId, ...order, ...body }, headers)).status;
  if (sender === 'key') expect(await byKey(report, { 'idempotency-key': 'evt-1' })).toBe(400);
  else expect(await byPage(report, sender)).toBeGreaterThanOrEqual(400);
  expect(await waiting()).toBe(1);
  return { waiting, byPage, byKey };
}

it.each([
  ['without a host, by its orderId', { orderId: 'o-1' }, hostless],
  ['without a host, by its reportId', { reportId: 'r-1' }, hostless],
  ['of another host', { orderId: 'o-1' }, foreign],
])('a refused report %s waits no more when a page stores it', async (_how, report, headers) => {
  const { waiting, byPage } = await refuse(report, headers);
  expect(await byPage({ orderId: 'o-2' })).toBe(200);
  expect(await waiting()).toBe(1);
  expect(await byPage(report)).toBe(200);
  expect(await waiting()).toBe(0);
});

it.each([
  ['of a page that is not allowed', {}, foreign],
  ['of a page without a host', {}, hostless],
  ['without an amount', { amount: 'much' }, { origin: 'https://shop.example' }],
  ['without a valid email', { email: 'ann' }, { origin: 'https://shop.example' }],
])('a refused report %s waits no more when a key says its order', async (_which, report, headers) => {
  const { waiting, byKey } = await refuse({ orderId: 'o-1', ...report }, headers);
  expect(await byKey({ orderId: 'o-1' }, {}, 'test')).toBe(200);
  expect(await waiting()).toBe(1);
  expect(await byKey({ orderId: 'o-1' })).toBe(200);
  expect(await waiting()).toBe(0);
});

it('a key’s refused report waits no more when the key says it right under the same Idempotency-Key', async () => {
  const { waiting, byKey } = await refuse({ amount: 'much' }, 'key');
  expect(await byKey({}, { 'idempotency-key': 'evt-1' }, 'test')).toBe(200);
  expect(await waiting()).toBe(1);
  expect(await byKey({}, { 'idempotency-key': 'evt-1' })).toBe(200);
  expect(await waiting()).toBe(0);
});

it('a refused report waits on when the order of its orderId is another buyer’s', async () => {
  const { waiting, byPage, byKey } = await refuse({ orderId: 'o-1' }, foreign);
  expect(await byPage({ orderId: 'o-1', email: 'bob@mail.example' })).toBe(200);
  expect(await byKey({ orderId: 'o-1', email: 'eve@mail.example' })).toBe(200);
  expect(await waiting()).toBe(1);
});
