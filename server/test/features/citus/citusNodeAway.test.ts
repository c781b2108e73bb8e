// @module-tag long
import { describe, expect, inject, it } from 'vitest';
import { createLookAgain } from '../../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { createAskNodes } from '../../../src/features/citus/askNodes.js';
import { createCleaningRefused } from '../../../src/features/refused/cleanRefused.js';
import { watchRefused } from '../../../src/features/refused/watchRefused.js';
import { removeOldApartEvents } from '../../../src/features/sources/sql/apartEvent.js';
import { listDueSources } from '../../../src/features/sources/sql/source.js';
import { expireDeliveries } from '../../../src/features/webhooks/expireDeliveries.js';
import { watchTeams } from '../../../src/features/webhooks/startWatching.js';
import { newUuid } from '../../../src/values/ids.js';
import { runOrderbeacon } from '../../kit/command.js';
import { listenersOf } from '../../kit/listeners.js';
import { startReceiver } from '../../kit/receiver.js';
import { startServerForTest, type TestServer } from '../../kit/server.js';
import type { Shop } from '../../kit/shop.js';
import { addTestHook, deliveryIdAt, noteFault } from '../webhooks/kit/hooks.js';
import { openBoth } from './workers.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

const metricOf = async (server: TestServer, name: string) =>
  Number(
    new RegExp(`^orderbeacon_${name} (\\S+)$`, 'm').exec((await server.send('GET', '/metrics')).text)?.[1],
  );

/** Lists the background work that has met faults, by the server's log. */
const faultyWorks = ({ lines }: TestServer) => new Set(lines.flatMap((line) => JSON.parse(line).work ?? []));

describe.skipIf(!inject('isCitus'))(`while a worker is lost (skipped where ${reason})`, () => {
  it('teams of other workers get their webhooks, also of a server that starts then, and metrics and doctor say it', async () => {
    const first = await startServerForTest();
    const { there, elsewhere, loseWorker } = await openBoth(first);
    const receiver = await startReceiver();
    for (const { team } of [there, elsewhere]) await addTestHook(first.sql, team, { url: receiver.url });
    const notices = () => receiver.received.map(({ json }) => json.data.orderId);
    const doctor = () => runOrderbeacon(['doctor'], first.env);
    expect((await doctor()).stdout).toMatch(/^ok {4}nodes +All 2 workers answer\.$/m);
    const { heal } = await loseWorker();

    await elsewhere.report({ orderId: 'a' });
    await expect.poll(notices).toEqual(['a']);
    // On a busy machine a read shows what the one before found.
    await expect.poll(() => metricOf(first, 'nodes_away')).toBe(1);
    await first.sql`
      insert into hook_delivery (team_id, id, hook_id, type, data, next_at)
      select team_id, gen_random_uuid(), id, 'hook.test', '{}', now() + interval '1 hour' from hook
      where team_id = ${elsewhere.team}`;
    await expect.poll(() => metricOf(first, 'hook_deliveries_pending')).toBe(1);
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}nodes +1 of 2 workers does not answer: 127\.0\.0\.1:\d+\.$/m);
    const second = await startServerForTest({ databaseUrl: first.env.DATABASE_URL! });
    await elsewhere.report({ orderId: 'b' });
    await expect.poll(notices).toEqual(['a', 'b']);
    for (const server of [first, second]) expect(faultyWorks(server)).toEqual(new Set(['nodes']));

    await heal();
    await expect.poll(() => metricOf(first, 'nodes_away')).toBe(0);
    await there.report({ orderId: 'c' });
    await expect.poll(notices).toEqual(['a', 'b', 'c']);
  });

  it('a browser that is signed in to teams of both workers sees the pages of the other one', async () => {
    const server = await startServerForTest();
    const { there, elsewhere, loseWorker } = await openBoth(server);
    const cookie = [await there.console(), await elsewhere.console()].map((each) => each.cookie).join('; ');
    const open = ({ teamId }: Shop) => server.send('GET', `/console/${teamId}`, { headers: { cookie } });
    await loseWorker();
    const [lost, shown] = [await open(there), await open(elsewhere)];
    expect([lost.status, shown.status]).toEqual([503, 200]);
    // The session of the lost worker's team is not ended.
    expect(lost.headers.get('set-cookie')).toBeNull();
  });

  it('what is due of teams of other workers is found by all other background work', async () => {
    const server = await startServerForTest();
    const { sql } = server;
    const { there, elsewhere, loseWorker } = await openBoth(server);
    for (const { team } of [there, elsewhere])
      await sql`
        insert into source (team_id, id, kind, is_test, token, order_id_prefix, api_key, sync_at)
        values (${team}, ${newUuid()}, 'woocommerce', false, ${team}, '', 'ck_1:cs_1', now() + interval '1 day')`;
    const { team } = elsewhere;
    const hook = await addTestHook(sql, team, { events: ['refused.began'] });
    await sql`
      insert into hook_delivery (team_id, id, hook_id, type, data, next_at)
      select ${team}, ${deliveryIdAt(sql, sql`(now() - interval '31 days')`)}, ${hook}, 'hook.test', '{}', null`;
    const removed = await addTestHook(sql, team);
    await sql`
      update hook set disabled_at = now(), removed_at = now() - interval '2 hours'
      where team_id = ${team} and id = ${removed}`;
    await sql`insert into hook_watch (team_id, checked_at, stopped_since) values (${team}, '2020-01-01', '2020-01-01')`;
    await sql`
      insert into source_event (team_id, source_id, id, host, body, received_at)
      select team_id, id, ${newUuid()}, 'old.example', '{}', now() - interval '31 days' from source
      where team_id = ${team}`;
    await elsewhere.report({ orderId: 'refused' }, { origin: 'https://x.example' });
    await elsewhere.refund({ orderId: 'late', refundId: 'r-1', amount: 1 });
    await expect.poll(async () => (await elsewhere.refused()).length).toBe(1);
    const types = async () =>
      (
        await sql<{ type: string }[]>`
        select type from hook_delivery where team_id = ${team} and hook_id = ${hook}`
      ).map(({ type }) => type);
    await loseWorker();

    const faults: unknown[] = [];
    const { askAllTeams } = createAskNodes(sql, (fault) => faults.push(fault));
    const asked = await askAllTeams((ofTeams) => listDueSources(sql, new Date(), ofTeams));
    // More than one team of the lost worker may have been added.
    expect(asked.rows).toEqual([]);
    expect(asked.missing).toContain(there.team);
    expect(asked.missing).not.toContain(team);
    await sql`update source set sync_at = now() where team_id = ${team}`;
    const due = await askAllTeams((ofTeams) => listDueSources(sql, new Date(), ofTeams));
    expect(due.rows).toMatchObject([{ teamId: team }]);

    await watchTeams(
      sql,
      { 'refused.began': watchRefused },
      { askAllTeams, nowMs: () => Date.now(), noteFault },
    );
    expect(await types()).toContain('refused.began');
    expect(await sql`select from hook_watch where team_id = ${team} and stopped_since is not null`).toEqual(
      [],
    );
    await askAllTeams((ofTeams) => removeOldApartEvents(sql, ofTeams));
    expect(await sql`select from source_event where team_id = ${team}`).toEqual([]);
    await expireDeliveries(sql, askAllTeams);
    expect(await types()).toEqual(['refused.began']);
    expect(await sql`select from hook where team_id = ${team} and id = ${removed}`).toEqual([]);

    // Another server does not know which reports wait.
    const other = await startServerForTest({ databaseUrl: server.env.DATABASE_URL! });
    for (const orderId of ['late', 'refused'])
      expect((await other.report(elsewhere.order({ orderId }), { origin: elsewhere.origin })).status).toBe(
        200,
      );
    const listeners = listenersOf(sql);
    const place = createPlaceStatements(sql, listeners);
    await createLookAgain(sql, place, listeners, false, askAllTeams).round();
    expect(await sql`select refund_id from refund where team_id = ${team}`).toEqual([{ refund_id: 'r-1' }]);
    await createCleaningRefused(sql, askAllTeams).round();
    expect(await elsewhere.refused()).toEqual([]);
    // The node is not asked for five seconds after a fault, so there is one fault in that time.
    expect(faults.length).toBeGreaterThan(0);
  });
});
