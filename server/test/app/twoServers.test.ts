import { expect } from 'vitest';
import { runOrderbeacon } from '../kit/command.js';
import { type Shop, shopAt, test } from '../kit/shop.js';

const importInto = ({ server, teamId }: Shop, what: string, file: string) =>
  runOrderbeacon([what, 'import', '--team', teamId, '-'], server.env, file);

const productPath = '/svc-api/v1/products/t-shirt';

test('a revoked key, a changed product and a removed domain count immediately on both servers', async ({
  shop,
  beside,
}) => {
  const shops = [shop, shopAt(beside, shop)];
  const { id: keyId, key } = JSON.parse((await shop.command('key', 'create', '--json')).stdout);
  // Each server is asked before the change, so that its caches are filled.
  for (const price of [10, 20]) {
    const product = [{ title: 'T-shirt', slug: 't-shirt', type: 'PHYSICAL', price }];
    await importInto(shop, 'product', JSON.stringify(product));
    for (const { send } of shops)
      expect((await send('GET', productPath, undefined, { key })).body.data.price).toBe(price);
  }
  for (const { report, reportByKey } of shops) {
    expect((await reportByKey({}, { key })).status).toBe(200);
    expect((await report()).status).toBe(200);
  }
  await shop.command('key', 'revoke', keyId);
  await shop.command('domain', 'remove', shop.domain);
  for (const { send, report, reportByKey } of shops) {
    expect((await send('GET', productPath, undefined, { key })).status).toBe(401);
    expect((await reportByKey({}, { key })).body.error.code).toBe('invalid_api_key');
    expect((await report()).body.error.code).toBe('domain_not_allowed');
  }
});

test('enrollments of one person that reach both servers concurrently make one subscription', async ({
  shop,
  beside,
}) => {
  const shops = [shop, shopAt(beside, shop)];
  const { stdout } = await shop.command('sequence', 'create', '--name', 'Welcome', '--json');
  const sequenceId = JSON.parse(stdout).id;
  const emails = Array.from({ length: 10 }, (_, n) => `buyer-${n}@mail.example`);
  await importInto(shop, 'person', ['email', ...emails].join('\n'));
  // Emails one after the other: the first open the servers' connections, and the later ones truly race.
  for (const email of emails) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => shops[n % 2]!.enroll({ email, sequenceId })),
    );
    expect(new Set(answers.map(({ body }) => body.data?.subscriptionId)).size).toBe(1);
  }
  expect(await shop.sql`select from subscription where team_id = ${shop.team}`).toHaveLength(10);
});
