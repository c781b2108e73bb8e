import { expect } from 'vitest';
import { createLookAgain } from '../../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import type { RefusedRequest } from '../../../src/core/orders/refusedRequest.js';
import { describeRefused } from '../../../src/features/refused/describeRefused.js';
import { listRecentRefusals } from '../../../src/features/refused/sql/begunRefused.js';
import { removeSettled } from '../../../src/features/refused/sql/removeRefused.js';
import { openShopkeeper } from '../../core/orders/rows/shopkeeper.js';
import { test } from '../../kit/shop.js';
import { wooOrder } from '../sources/kit/wooCommerceSamples.js';

const ann = 'ann@shop.example';
const today = (hour: number) => `${new Date().toISOString().slice(0, 10)}T0${hour}:00:00`;
const order = (email: string, hour: number) =>
  wooOrder(230, { billing: { email }, date_paid_gmt: today(0), date_modified_gmt: today(hour) });

test('an accepted page whose number is another buyer’s now is shown as refused without an alert, until it has its order', async ({
  server,
}) => {
  const shop = await openShopkeeper(server);
  const { team, sql } = shop;
  const items = [{ sku: 'TEE-M', name: 'T-shirt', quantity: 1, price: 49.9 }];
  const sent = {
    email: ann,
    amount: 49.9,
    currency: 'EUR',
    orderId: '230',
    name: 'Ann',
    items,
    color: 'red',
  };
  expect((await shop.report(sent)).status).toBe(200);
  await shop.woo(order('mallory@strangers.example', 1));
  await expect.poll(shop.refused).toMatchObject([
    {
      reason: 'order_conflict',
      email: ann,
      orderId: '230',
      amount: '49.9',
      currency: 'EUR',
      host: shop.domain,
    },
  ]);
  const [{ body } = { body: '' }] = await shop.refused();
  expect(JSON.parse(body)).toMatchObject(sent);
  expect(await listRecentRefusals(sql, team, new Date(0))).toEqual([]);
  await shop.woo(order(ann, 2));
  expect(await shop.counted()).toEqual([['230', ann, 49.9, 0]]);
  await removeSettled(sql, team);
  expect(await shop.refused()).toEqual([]);
});

test('a refund that found no order in 30 days is kept as refused', async ({ shop }) => {
  const { sql, team } = shop;
  await shop.refund({ orderId: 'never', refundId: 'r-1', amount: 5, reason: 'torn' });
  await sql`update statement set waits_since = now() - interval '31 days' where team_id = ${team}`;
  const kept: [string, RefusedRequest][] = [];
  const listeners = [
    { onReportRefused: async (team: string, report: RefusedRequest) => void kept.push([team, report]) },
  ];
  await createLookAgain(sql, createPlaceStatements(sql, []), listeners, false).round();
  const ofTeam = kept.filter(([of]) => of === team).map(([, report]) => describeRefused(report, Date.now()));
  expect(ofTeam).toMatchObject([{ reason: 'refund_not_stored', field: 'orderId', host: '' }]);
  expect(JSON.parse(ofTeam[0]!.body)).toMatchObject({
    refundId: 'r-1',
    orderId: 'never',
    amount: '5',
    reason: 'torn',
  });
});
