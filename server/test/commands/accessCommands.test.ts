import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { keysAtMost } from '../../src/core/teams/issueKey.js';
import { domainsAtMost, listDomains } from '../../src/core/teams/sql/domain.js';
import { complaintOf, json } from '../kit/command.js';
import { test } from '../kit/shop.js';

test('a key works from its creation until its revocation, and lists show its last four characters', async ({
  shop,
}) => {
  const live = await json(shop, 'key create --name webhook');
  const test = await json(shop, 'key create --test');
  expect(live).toMatchObject({
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^ob_live_\w{36}$/),
    mode: 'live',
  });
  expect(test.key).toMatch(/^ob_test_\w{36}$/);
  const statusOf = async ({ key }: { key: string }) => (await shop.reportByKey({}, { key })).status;
  expect(await statusOf(live)).toBe(200);
  await json(shop, `key revoke ${live.id}`);
  expect([await statusOf(live), await statusOf(test)]).toEqual([401, 200]);
  const listed = await json(shop, 'key list');
  expect(listed).toMatchObject([
    { lastFour: live.key.slice(-4), revokedAt: expect.stringMatching(/^\d{4}-/) },
    { lastFour: test.key.slice(-4), revokedAt: null },
  ]);
  expect(JSON.stringify(listed)).not.toContain(live.key);
});

test('a signing key signs from its creation until its revocation, and is shown once', async ({ shop }) => {
  const made = await json(shop, 'signing-key create --name shop');
  const test = await json(shop, 'signing-key create --test');
  expect(made).toEqual({
    id: expect.stringMatching(/^sig_/),
    key: expect.stringMatching(/^ob_sign_\w{36}$/),
    isTest: false,
    name: 'shop',
  });
  const signed = (orderId: string) => {
    const values = [shop.teamId, orderId, 'ann@buyer.example', '49.9', 'USD'].join('\n');
    return shop.report({ orderId, signature: createHmac('sha256', made.key).update(values).digest('hex') });
  };
  expect((await signed('1')).status).toBe(200);
  await json(shop, `signing-key revoke ${made.id}`);
  expect((await signed('2')).body.error.code).toBe('invalid_signature');
  const listed = await json(shop, 'signing-key list');
  expect(listed).toMatchObject([
    {
      id: made.id,
      name: 'shop',
      lastFour: made.key.slice(-4),
      revokedAt: expect.stringMatching(/^\d{4}-/),
    },
    { id: test.id, isTest: true, lastFour: test.key.slice(-4), revokedAt: null },
  ]);
  expect(JSON.stringify(listed)).not.toContain(made.key.slice(0, -4));
});

test('a domain is allowed from its addition until its removal', async ({ shop }) => {
  const from = async () => (await shop.report({}, { origin: 'https://xn--bcher-kva.example' })).status;
  await json(shop, `domain remove ${shop.domain}`);
  expect(await from()).toBe(403);
  const added = await json(shop, 'domain add Bücher.example');
  expect(added).toEqual({ domain: 'xn--bcher-kva.example', isTest: false });
  expect(await from()).toBe(200);
  expect(await json(shop, 'domain add --test bücher.example')).toMatchObject({ isTest: true });
  expect(await json(shop, 'domain list')).toEqual([{ ...added, isTest: true }]);
  await json(shop, 'domain remove bücher.example');
  expect(await from()).toBe(403);
});

test.for([
  ['domain add https://shop.example/thanks', 'shop.example'],
  ['domain add *.co.uk', 'like shop.co.uk'],
  ['domain remove never.example', 'never.example'],
  ['key revoke key_x', 'key_x'],
  ['signing-key revoke sig_x', 'sig_x'],
  ['key create --name=', '--name must be 1 to 255 characters'],
  ['signing-key create --name=', '--name must be 1 to 255 characters'],
])('%s is refused with one line that names %s', async ([line, words], { shop }) => {
  expect(complaintOf(await shop.command(...line!.split(' ')))).toContain(words);
});

test('a team has at most 500 domains and 100 API keys: one more is refused, another entry can be changed', async ({
  shop,
}) => {
  const { sql, team } = shop;
  await sql`insert into domain (team_id, entry, is_test)
    select ${team}, 'shop-' || n || '.example', false from generate_series(1, ${domainsAtMost}::int) n
    on conflict do nothing`;
  await sql`delete from domain where team_id = ${team} and entry not like 'shop-%'`;
  expect(complaintOf(await shop.command('domain', 'add', 'one-more.example'))).toContain(
    'can have 500 domains',
  );
  expect((await shop.command('domain', 'add', '--test', 'shop-1.example')).code).toBe(0);
  expect((await listDomains(sql, team)).length).toBe(domainsAtMost);

  await sql`insert into api_key (id, team_id, mode, hash, last_four)
    select gen_random_uuid(), ${team}, 'live', gen_random_uuid()::text, '1234' from generate_series(1, ${keysAtMost}::int)`;
  expect(complaintOf(await shop.command('key', 'create'))).toContain('can have 100 API keys');
  await sql`update api_key set revoked_at = now() where team_id = ${team}`;
  expect((await shop.command('key', 'create')).code).toBe(0);
  expect((await json(shop, 'key list')).length).toBe(101);
});
