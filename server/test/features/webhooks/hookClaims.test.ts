import { expect } from 'vitest';
import { inTransaction } from '../../../src/database/inTransaction.js';
import {
  claimDeliveries,
  releaseDeliveries,
  writeAttempts,
} from '../../../src/features/webhooks/sql/dueDelivery.js';
import type { Uuid } from '../../../src/values/ids.js';
import { type Shop, test } from '../../kit/shop.js';
import { addDue, addTestHook, attemptOf } from './kit/hooks.js';

/** Adds a hook that is off, so that no server claims its deliveries during the test. */
async function addHook({ sql, team }: Shop) {
  const id = await addTestHook(sql, team);
  await sql`update hook set disabled_at = now() where id = ${id}`;
  return { teamId: team, id };
}

test('no delivery is given to two servers that claim concurrently, and the longest due comes first', async ({
  shop,
}) => {
  const { sql } = shop;
  const hook = await addHook(shop);
  await addDue(sql, hook, 200);
  const idsOf = (rows: { id: Uuid }[]) => rows.map(({ id }) => id).sort();
  const oldest = await sql<{ id: Uuid }[]>`
    select id from hook_delivery where hook_id = ${hook.id} order by next_at limit 20`;
  const claim = (limit: number) => claimDeliveries(sql, hook, limit);
  const first = await claim(20);
  expect(idsOf(first)).toEqual(idsOf(oldest));
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(20)))).flat();
  const rest = await claim(100);
  expect(new Set(idsOf([...first, ...claimed, ...rest])).size).toBe(200);
  expect([claimed.length, rest.length]).toEqual([160, 20]);
  expect(await claim(1)).toEqual([]);
});

test('a delivery is claimed again when its lease has ended, and what the first claim says is then ignored', async ({
  shop,
}) => {
  const { sql, team } = shop;
  const hook = await addHook(shop);
  await addDue(sql, hook, 1);
  // In one transaction the time stays the same.
  const first = await inTransaction(sql, async (tx) => {
    const [claimed] = await claimDeliveries(tx, hook, 1);
    const [lease] = await tx<[{ endsAt: Date }]>`
      select next_at as "endsAt" from hook_delivery where hook_id = ${hook.id}`;
    const bringForward = (ms: number) => tx`
      update hook_delivery set next_at = ${new Date(lease.endsAt.getTime() - ms)} where hook_id = ${hook.id}`;
    await bringForward(59_999);
    expect(await claimDeliveries(tx, hook, 1)).toEqual([]);
    await bringForward(60_000);
    return claimed!;
  });
  const second = (await claimDeliveries(sql, hook, 1))[0]!;
  expect(second).toMatchObject({ id: first.id, attempts: 2 });
  await writeAttempts(sql, team, [attemptOf(first)]);
  await releaseDeliveries(sql, team, [first]);
  const read = () => sql`select attempts, status from hook_delivery where hook_id = ${hook.id}`;
  expect(await read()).toEqual([{ attempts: 2, status: null }]);
  await writeAttempts(sql, team, [attemptOf(second)]);
  expect(await read()).toEqual([{ attempts: 2, status: 200 }]);
});
