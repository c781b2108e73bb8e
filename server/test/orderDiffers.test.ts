import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../src/database/inTransaction.js';
import { removeDomain } from '../src/teams/sql/domain.js';
import { encodeId } from '../src/values/ids.js';
import { runOrderbeacon } from './command.js';
import { signIn } from './console.js';
import { findWaitsBehind } from './lockWaits.js';
import { replay, waitingOf } from './refused.js';
import { startServerForTest, startTestServer } from './server.js';

/** A page's reports of an order that is stored with another amount or currency. */
let server: Awaited<ReturnType<typeof startTestServer>>;
let team: Awaited<ReturnType<typeof server.addTeam>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let count = 0;
const newOrder = () => ({
  teamId: team.teamId,
  email: `buyer-${++count}@shop.example`,
  amount: 49.9,
  orderId: `differs-${count}`,
});
const newTeam = async () => {
  team = await server.addTeam('shop.example');
  return team;
};
const kept = () => waitingOf(server.sql, team.uuid);
const keptAfter = async (reports: number) => {
  await expect.poll(async () => (await kept()).length).toBe(reports);
  return kept();
};
/** Waits until a further report is kept, so that whatever was to be kept before it is. */
const settled = async () => {
  await server.report({ ...newOrder(), amount: 'none' });
};
const amountOf = async (orderId: string) =>
  (
    await server.sql`select amount::float, currency from placed_order where team_id = ${team.uuid} and order_id = ${orderId}`
  )[0];

describe('a page’s report of a known order with other money', () => {
  it('is answered with the order, and kept with both amounts', async () => {
    await newTeam();
    const order = newOrder();
    const first = await server.report(order);
    const second = await server.report({ ...order, amount: 45 });
    expect(second.status).toBe(200);
    expect(second.body.data).toEqual({ ...first.body.data, isNew: false });
    const [entry, ...others] = await keptAfter(1);
    expect(others).toEqual([]);
    const { orderNumber } = first.body.data;
    expect(entry).toMatchObject({
      reason: 'order_differs',
      field: 'amount',
      amount: '45',
      currency: 'USD',
      host: 'shop.example',
      times: 1,
      issues: [
        { path: 'amount', message: `is 45 USD here, and 49.9 USD in the stored order ${orderNumber}` },
      ],
    });
    expect(await amountOf(order.orderId)).toEqual({ amount: 49.9, currency: 'USD' });
  });

  it('is one entry for each difference, also where only the currency differs', async () => {
    await newTeam();
    const order = newOrder();
    await server.report(order);
    for (const more of [
      { amount: 45 },
      { amount: 45 },
      { amount: 45.0 },
      { currency: 'eur' },
      { amount: 44 },
    ])
      await server.report({ ...order, ...more });
    await expect.poll(async () => (await kept()).map(({ times }) => times).sort()).toEqual([1, 1, 3]);
    expect((await kept()).map(({ field }) => field).sort()).toEqual(['amount', 'amount', 'currency']);
  });

  it('is not one that is the same, a key’s, or another buyer’s', async () => {
    await newTeam();
    const order = newOrder();
    const key = await server.addKey(team.uuid);
    await server.report(order);
    await server.report({ ...order, amount: 49.9, currency: 'usd', name: 'Ann' });
    await server.reportByKey(key, { ...order, amount: 48 });
    await server.reportByKey(key, { ...order, amount: 47 });
    await server.report({ ...order, email: 'eve@shop.example', amount: 1 });
    await settled();
    expect((await kept()).map(({ reason }) => reason).sort()).toEqual(['invalid_request', 'order_conflict']);
  });

  it('is kept of an order that a key has confirmed, and needs no attention once the order has its amount', async () => {
    await newTeam();
    const [confirmed, open] = [newOrder(), newOrder()];
    const key = await server.addKey(team.uuid);
    await server.reportByKey(key, confirmed);
    await server.report({ ...confirmed, amount: 1 });
    await server.report(open);
    await server.report({ ...open, amount: 60 });
    await keptAfter(2);
    await server.reportByKey(key, { ...open, amount: 60 });
    expect(await keptAfter(1)).toMatchObject([{ orderId: confirmed.orderId }]);
  });

  it('is never stored by a replay of all, and a replay of its own says why', async () => {
    await newTeam();
    const order = newOrder();
    await server.report(order);
    await server.report({ ...order, amount: 45 });
    const [entry] = await keptAfter(1);
    expect([...(await replay(server.sql, team.uuid))]).toEqual([]);
    for (const changes of [undefined, { amount: 45 }, { orderId: 'other' }]) {
      const replayed = await replay(
        server.sql,
        team.uuid,
        { ids: [entry!.id] },
        { ...(changes && { changes }) },
      );
      expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'order_differs' } }]);
    }
    expect(await kept()).toHaveLength(1);
    expect(await server.sql`select from placed_order where team_id = ${team.uuid}`).toHaveLength(1);
  });

  it('is one that was refused before, too, when it is replayed', async () => {
    await newTeam();
    const order = newOrder();
    const other = { origin: 'https://pay.example' };
    await server.report({ ...order, amount: 45 }, other);
    await server.sql`update domain set entry = 'pay.example' where team_id = ${team.uuid}`;
    await server.report(order, other);
    const ids = await server.sql<
      { id: string }[]
    >`select id from refused_report where team_id = ${team.uuid}`;
    const replayed = await replay(server.sql, team.uuid, { ids: ids.map(({ id }) => id) });
    expect([...replayed]).toMatchObject([{ outcome: { kind: 'refused', code: 'order_differs' } }]);
    expect(await kept()).toMatchObject([{ reason: 'order_differs', amount: '45' }]);
  });

  it('is shown with both amounts by command and console, which offer to discard it, and not to store it', async () => {
    await newTeam();
    const order = newOrder();
    await server.report(order);
    await server.report({ ...order, amount: 45 });
    const [entry] = await keptAfter(1);
    const id = encodeId('ref', entry!.id);
    const shown = await runOrderbeacon(['refused', 'show', '--team', team.teamId, id], server.env);
    expect(shown.stdout).toContain('is 45 USD here, and 49.9 USD in the stored order');
    const browser = await signIn(server, team.teamId);
    const groups = (await browser.get('/console/refused')).text;
    expect(groups).toContain('the order is stored with another amount');
    const page = (await browser.get(`/console/refused/${id}`)).text;
    expect(page).toContain('is 45 USD here, and 49.9 USD in the stored order');
    for (const html of [groups, page]) {
      expect(html).toContain('Discard');
      expect(html).not.toMatch(/action="[^"]*refused\/(store|correct|allow)"/);
    }
    await removeDomain(server.sql, team.uuid, 'shop.example');
    expect((await browser.get('/console/refused')).text).not.toContain('refused/allow');
  });
});

it('keeping it neither delays nor fails the answer, whatever the table of refused reports does', async () => {
  await newTeam();
  const order = newOrder();
  await server.report(order);
  await inTransaction(server.sql, async (tx) => {
    await tx`lock table refused_report in access exclusive mode`;
    expect((await server.report({ ...order, amount: 45 })).status).toBe(200);
    // Here a report may wait a minute until it is kept: the answer came while this one waits.
    await expect.poll(() => findWaitsBehind(server.sql, tx)).not.toEqual([]);
  });
  await server.sql`alter table refused_report rename to gone`;
  expect((await server.report({ ...order, amount: 46 })).status).toBe(200);
  await server.sql`alter table gone rename to refused_report`;
});

it('a server that stops keeps first what it has answered', async () => {
  const own = await startServerForTest();
  const { teamId, uuid } = await own.addTeam('shop.example');
  const order = { teamId, email: 'ann@shop.example', amount: 1, orderId: 'A' };
  await own.report(order);
  await Promise.all([2, 3, 4, 5].map((amount) => own.report({ ...order, amount })));
  await own.stop();
  expect(await waitingOf(own.sql, uuid)).toHaveLength(4);
});
