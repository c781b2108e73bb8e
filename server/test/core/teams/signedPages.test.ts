import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { issueSigningKey } from '../../../src/core/teams/issueKey.js';
import { revokeSigningKey } from '../../../src/core/teams/sql/signingKey.js';
import { findTeam, updateTeam } from '../../../src/core/teams/sql/team.js';
import { inTransaction } from '../../../src/database/inTransaction.js';
import { replay } from '../../features/refused/kit/refused.js';
import { openShop, type Shop, shopAt, test } from '../../kit/shop.js';

/** Tests over HTTP and in PostgreSQL that the server believes orders that a shop's server has signed. */

const signingKeyOf = async ({ sql, team }: Shop, isTest = false) =>
  (await issueSigningKey(sql, team, { isTest, name: 'shop' }))!;

type SignedOrder = ReturnType<Shop['order']> & Record<string, unknown>;
const sign = (order: SignedOrder, key: string) => ({
  ...order,
  signature: createHmac('sha256', key)
    .update([order.teamId, order.orderId, order.email, order.amount, order.currency ?? 'USD'].join('\n'))
    .digest('hex'),
});

/** Makes a function that signs orders of a shop with a new key. */
async function signerOf(shop: Shop) {
  const { key } = await signingKeyOf(shop);
  return (order: SignedOrder) => sign(order, key);
}

const requireSignature = ({ sql, team }: Shop, isRequired: boolean) =>
  inTransaction(sql, async (tx) =>
    updateTeam(tx, { ...(await findTeam(tx, team, { lock: true }))!, requiresSignature: isRequired }),
  );

describe('a signed order', () => {
  test('is reported by page and backend from the start, and its signature is no extra field', async ({
    shop,
  }) => {
    const signed = await signerOf(shop);
    const order = shop.order({ name: 'Ann', items: [{ sku: 'A' }], currency: 'eur' });
    const { data } = (await shop.report(signed(order))).body;
    expect(data).toMatchObject({ isNew: true, isTest: false, amount: 49.9 });
    expect(data).not.toHaveProperty('warnings');
    expect(await shop.stored()).toMatchObject([
      {
        currency: 'EUR',
        reportedBy: 'both',
        host: shop.domain,
        extra: null,
        isTest: false,
      },
    ]);
  });

  test('is fixed against other pages, and a backend is believed over it', async ({ shop }) => {
    const signed = await signerOf(shop);
    const order = shop.order({ name: 'Page', items: [{ sku: 'page' }] });
    await shop.report(signed(order));
    const other = await shop.report({ ...order, email: 'thief@shop.example', amount: 1 });
    expect(other.body.error.code).toBe('order_conflict');
    await shop.report({ ...order, amount: 1 });
    expect(await shop.stored()).toMatchObject([{ amount: '49.9' }]);
    const stated = { source: 'STRIPE', name: 'Backend', items: [{ sku: 'key' }] };
    const { data } = (await shop.reportByKey({ ...order, ...stated, amount: 48 })).body;
    expect(data).toMatchObject({ amount: 48, isNew: false });
    expect(await shop.stored()).toMatchObject([{ ...stated, amount: '48', reportedBy: 'both' }]);
  });

  test('takes over an order that an unsigned page has reported with another amount and another buyer', async ({
    shop,
  }) => {
    const signed = await signerOf(shop);
    const order = shop.order();
    const theft = { ...order, email: 'thief@shop.example', amount: 1, name: 'Thief' };
    await shop.report(theft, { origin: `https://www.${shop.domain}` });
    expect((await shop.report(signed(order))).body.data).toMatchObject({ amount: 49.9, isNew: false });
    expect(await shop.stored()).toMatchObject([
      { amount: '49.9', email: order.email, name: null, reportedBy: 'both', host: shop.domain },
    ]);
  });

  test('brings back nothing of an erased buyer', async ({ shop }) => {
    const signed = await signerOf(shop);
    const order = shop.order();
    await shop.report(order);
    await shop.command('person', 'erase', '--email', order.email);
    expect((await shop.report(signed(order))).status).toBe(409);
    expect(await shop.stored()).toMatchObject([{ email: null }]);
    expect(await shop.refused()).toEqual([]);
  });
});

// signature.test.ts tests all of the signature, and each invalid form of it.
describe('a signature that does not fit', () => {
  test.for<[string, (order: SignedOrder, foreign: string) => object]>([
    ['is forged', (order) => ({ ...order, signature: 'ab'.repeat(32) })],
    ['is of another team', (order, foreign) => sign(order, foreign)],
  ])('and %s is refused, nothing is stored, and the report is kept', async ([, change], { shop }) => {
    await signerOf(shop);
    const { key: foreign } = await signingKeyOf(await openShop(shop.server));
    const { status, body } = await shop.report({ ...change(shop.order(), foreign) });
    expect([status, body.error.code]).toEqual([403, 'invalid_signature']);
    expect(await shop.stored()).toEqual([]);
    expect(await shop.refused()).toMatchObject([{ reason: 'invalid_signature' }]);
  });

  test('is one without an orderId, or with a template in its place', async ({ shop }) => {
    const signed = await signerOf(shop);
    for (const orderId of [undefined, '{{ order.id }}']) {
      const { error } = (await shop.report({ ...signed(shop.order({ orderId: '' })), orderId })).body;
      expect(error).toMatchObject({ code: 'invalid_signature', message: expect.stringContaining('orderId') });
    }
  });

  test('is one of a test key on a live page, and of a live key on a test page', async ({ shop }) => {
    await shop.addDomain('localhost', { isTest: true });
    const onTestPage = { origin: 'http://localhost' };
    const order = shop.order();
    const live = (await signerOf(shop))(order);
    const ofTest = sign(order, (await signingKeyOf(shop, true)).key);
    expect((await shop.report(ofTest)).body.error.code).toBe('invalid_signature');
    expect((await shop.report(live, onTestPage)).body.error.code).toBe('invalid_signature');
    await shop.report(ofTest, onTestPage);
    await shop.report(live);
    expect(await shop.stored()).toMatchObject([
      { isTest: true, reportedBy: 'both' },
      { isTest: false, reportedBy: 'both' },
    ]);
  });

  test('is ignored in a report with a key, which needs none', async ({ shop }) => {
    await signerOf(shop);
    await shop.reportByKey({ signature: 'ab'.repeat(32) });
    expect(await shop.stored()).toMatchObject([{ reportedBy: 'key', extra: null }]);
  });

  test('allows no domain: a right one of another host is refused', async ({ shop }) => {
    const signed = await signerOf(shop);
    const answer = await shop.report(signed(shop.order()), { origin: 'https://other.example' });
    expect(answer.body.error.code).toBe('domain_not_allowed');
  });
});

test('an empty signature is none', async ({ shop }) => {
  await signerOf(shop);
  for (const signature of ['', null]) await shop.report({ signature });
  expect(await shop.stored()).toMatchObject([{ reportedBy: 'browser' }, { reportedBy: 'browser' }]);
});

test('two keys are live together, a revoked one is refused immediately, and a kept report is judged by the keys of now', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const old = await signingKeyOf(shop);
  const signed = await signerOf(shop);
  expect((await shop.report(sign(shop.order(), old.key))).status).toBe(200);
  expect((await shop.report(signed(shop.order()))).status).toBe(200);
  await revokeSigningKey(sql, team, old.id);
  expect((await shop.report(sign(shop.order(), old.key))).status).toBe(403);
  const outcomes = async () => (await replay(sql, team)).map(({ outcome }) => outcome);
  expect(await outcomes()).toMatchObject([{ kind: 'refused', code: 'invalid_signature' }]);
  await sql`update signing_key set revoked_at = null where id = ${old.id}`;
  expect(await outcomes()).toMatchObject([{ kind: 'new' }]);
  expect(await shop.stored()).toMatchObject(Array(3).fill({ reportedBy: 'both' }));
});

test('a kept report that a person corrects is stored without its signature', async ({ shop }) => {
  await signerOf(shop);
  await shop.report({ signature: 'ab'.repeat(32) });
  await replay(shop.sql, shop.team, {}, { changes: { amount: 50 } });
  expect(await shop.stored()).toMatchObject([{ amount: '50', reportedBy: 'browser' }]);
});

test('a team has five live signing keys at most, also where two servers make one each', async ({ shop }) => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => issueSigningKey(shop.sql, shop.team, { isTest: false, name: null })),
  );
  expect(made.filter((key) => key !== null)).toHaveLength(5);
});

test('a team that requires signatures refuses unsigned pages on every server and domain immediately, keeps them, and takes keys and signed pages', async ({
  shop,
  beside,
}) => {
  const there = shopAt(beside, shop);
  await shop.addDomain('localhost', { isTest: true });
  const signed = await signerOf(shop);
  const unsigned = shop.order();
  expect((await shop.report()).status).toBe(200);
  expect((await there.report()).status).toBe(200);
  await requireSignature(shop, true);
  await shop.addDomain('new.example');
  for (const origin of [shop.origin, 'http://localhost', 'https://new.example']) {
    const { status, body } = await shop.report(unsigned, { origin });
    expect([status, body.error?.code]).toEqual([403, 'signature_required']);
  }
  expect((await there.report(shop.order({ orderId: 'there' }))).status).toBe(403);
  expect((await there.report(signed(shop.order()))).status).toBe(200);
  expect((await shop.report(signed(shop.order()))).status).toBe(200);
  expect((await shop.reportByKey()).status).toBe(200);
  expect((await shop.refused()).map(({ reason }) => reason)).toEqual(Array(4).fill('signature_required'));
  await requireSignature(shop, false);
  const replayed = await replay(shop.sql, shop.team, { host: shop.domain });
  expect(replayed.map(({ outcome }) => outcome.kind)).toEqual(['new', 'new']);
});
