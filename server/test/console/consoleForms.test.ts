// @module-tag all
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { tables } from '../../src/database/tables.js';
import { decodeId, encodeId, newUuid } from '../../src/values/ids.js';
import { addTestHook, deliveryIdAt } from '../features/webhooks/kit/hooks.js';
import { appPaths } from '../kit/appRoutes.js';
import { postForm, signIn } from '../kit/console.js';
import { sendTo, type TestServer } from '../kit/server.js';
import { openShop, type Shop, test } from '../kit/shop.js';

/** Opens a shop with one of everything, a browser of its owner, and the forms that change it, by their paths. */
async function openFullShop(server: TestServer) {
  const shop = await openShop(server);
  const { sql, team, teamId, domain } = shop;
  await shop.report({ amount: '49,90', orderId: 'discarded' });
  const [discarded] = await shop.refused();
  await sql`update refused_report set discarded_at = now() where team_id = ${team}`;
  await shop.report({ amount: '49,90' });
  await shop.report({}, { origin: 'https://checkout.example' });
  await shop.addDomain('checkout.example');
  const order = (await shop.report()).body.data.id;
  // Only events of orders, because refusals can be reported at any time.
  const hookId = await addTestHook(sql, team, { events: ['order.created'] });
  // The hook is failing, so that no request is sent.
  await sql`update hook set failing_since = now() where id = ${hookId}`;
  const [failed] = await sql<{ id: string }[]>`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, data, created_at, next_at, attempts, attempted_at, status, error)
    values (${team}, ${deliveryIdAt(sql, sql`now()`)}, ${hookId}, 'order.created', gen_random_uuid(), '{}', now(),
      now() + interval '1 day', 9, now(), 500, 'no')
    returning id`;
  await shop.liveKey();
  const owner = await signIn(server, teamId);
  await signIn(server, teamId);
  await owner.submit('/console/setup/sources', { kind: 'shopify', secret: 'a secret' });
  const only = async (table: string) =>
    (await sql<[{ id: string }]>`select id from ${sql(table)} where team_id = ${team}`)[0].id;
  const amount = (await shop.refused()).find(({ field }) => field === 'amount')!;
  const host = { reason: 'domain_not_allowed', host: 'checkout.example', field: '' };
  const hook = encodeId('hook', hookId);
  const source = encodeId('src', await only('source'));
  const packed = gzipSync('orderId,amount,email\n1,5,ann@buyer.example\n').toString('base64url');
  await sql`
    update source set api_key = 'shpat_0', shop_url = 'https://a.invalid', sync_at = now() + interval '1 day'
    where team_id = ${team}`;
  await sql`
    insert into source_event (team_id, source_id, id, host, body)
    values (${team}, ${decodeId('src', source)}, ${newUuid()}, 'staging.example', '{}')`;
  const [{ id: keyId }] = await sql<[{ id: string }]>`
    select id from api_key where team_id = ${team} and source_id is null`;
  const key = encodeId('key', keyId);
  const press = newUuid();
  await sql`
    insert into compare_press (team_id, id, is_test, stored_at, order_ids)
    values (${team}, ${press}, false, now(), ${`{${newUuid()}}`}::text::uuid[])`;
  const forms: Record<string, Fields> = {
    '/setup/install/check': { address: `${server.url}/docs` },
    '/setup/install/woocommerce-plugin': {},
    '/compare': { mode: 'live' },
    '/compare/again': { packed },
    '/compare/undo': { press },
    '/compare/store': { packed, areNew: '' },
    '/setup/domains': { domain: 'new.example' },
    '/setup/domains/remove': { domain },
    '/setup/keys/links': { may: 'all' },
    '/refused/allow': { host: 'checkout.example' },
    '/refused/correct': { id: encodeId('ref', amount.id), amount: '1' },
    '/refused/correct-all': { reason: 'invalid_request', host: domain, field: 'amount' },
    '/refused/discard': { ...host, until: new Date().toISOString() },
    '/refused/restore': { id: encodeId('ref', discarded!.id) },
    '/refused/store': host,
    '/setup/keys/sign-out': { browser: 'all' },
    '/setup/shop': { name: 'New', zone: 'Europe/Paris', storefrontUrl: 'https://new.example' },
    '/setup/shop/samples': {},
    '/setup/shop/zone': { zone: 'Europe/Berlin' },
    '/setup/keys': { name: 'new' },
    '/setup/keys/revoke': { key },
    [`/orders/${order}/refund`]: { refund: 'r-1', amount: '1' },
    [`/orders/${order}/discard`]: {},
    '/sign-out': {},
    '/setup/sources': { kind: 'stripe' },
    '/setup/sources/remove': { source },
    '/setup/sources/access': { source, shopUrl: 'https://a.example', apiKey: 'shpat_1' },
    '/setup/sources/host': { source, host: 'staging.example', as: 'moved' },
    '/setup/sources/sync': { source },
    '/setup/sources/secret': { source, secret: 'another' },
    '/webhooks': { url: 'https://receiver.invalid/', 'order.created': 'yes' },
    '/webhooks/remove': { hook },
    '/webhooks/resend': { delivery: `${encodeId('msg', failed!.id)}.${hook}` },
    '/webhooks/resend-failed': { hook },
    '/webhooks/switch': { hook, on: 'no' },
    '/webhooks/test': { hook },
  };
  return { shop, owner, forms };
}

/** Reads every row of a team. */
async function rowsOf({ sql, team }: Shop) {
  const ofTeams = tables.filter((table) => table !== 'installation' && table !== 'team');
  const rows = ofTeams.map(
    async (table) =>
      await sql`select ${table} as of, to_json(t)::text as row from ${sql(table)} t where team_id = ${team} order by 2`,
  );
  return [
    await sql`select to_json(team)::text as row from team where id = ${team}`,
    ...(await Promise.all(rows)),
  ];
}

type Fields = Record<string, string>;

/** Sends a form of a team's console as its page does. */
async function send(
  { url }: TestServer,
  teamId: string,
  path: string,
  fields: Fields,
  headers: Record<string, string>,
) {
  const address = `/console/${teamId}${path}`;
  if (path !== '/compare') return postForm(url, address, fields, headers);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob(['orderId,amount\n1,5\n']), 'orders.csv');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type')!;
  const body = Buffer.from(await encoded.arrayBuffer());
  return sendTo(new URL(address, url), 'POST', {
    headers: { origin: new URL(url).origin, 'content-type': type, ...headers },
    body,
  });
}

const cookieOf = async (server: TestServer, teamId: string, isReadOnly = false) => ({
  cookie: (await signIn(server, teamId, { isReadOnly })).cookie,
});

/** Senders without the right: their headers, and the answer that they get. */
const strangers: Record<string, [number, (server: TestServer, teamId: string) => Promise<Fields>]> = {
  'nobody who is signed in': [403, async () => ({})],
  'a page of another site': [
    403,
    async (...of) => ({ ...(await cookieOf(...of)), origin: 'https://evil.example' }),
  ],
  'a page of no site': [403, async (...of) => ({ ...(await cookieOf(...of)), origin: 'null' })],
  'a browser that may look only': [403, (...of) => cookieOf(...of, true)],
  'a browser of another team': [403, async (server) => cookieOf(server, (await openShop(server)).teamId)],
};

test('each form of a signed-in page is among these', async ({ server }) => {
  const { forms } = await openFullShop(server);
  const posted = (await appPaths()).filter((route) => route.startsWith('POST /console/:team'));
  // What reads every form stands before all of them.
  const paths = posted
    .map((route) => route.replace('POST /console/:team', ''))
    .filter((path) => path !== '/*');
  const named = Object.keys(forms).map((path) => path.replace(/ord_\w+/, ':id'));
  expect(named.sort()).toEqual(paths.sort());
});

test.for(Object.entries(strangers))(
  '%s changes nothing of a team by any form',
  async ([, [refusal, headersOf]], { server }) => {
    const { shop, forms } = await openFullShop(server);
    const headers = await headersOf(server, shop.teamId);
    const before = await rowsOf(shop);
    for (const [path, fields] of Object.entries(forms)) {
      // A browser that may look only may sign out.
      if (path === '/sign-out') continue;
      const { status } = await send(server, shop.teamId, path, fields, headers);
      expect([path, status]).toEqual([path, refusal]);
    }
    expect(await rowsOf(shop)).toEqual(before);
  },
);

test('a form of too many fields is refused as one that is too large', async ({ shop }) => {
  const { submit } = await shop.console();
  const sendFields = async (path: string, count: number) =>
    (await submit(path, Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, ''])))).status;
  for (const path of ['/console/setup/shop/zone', '/console/compare/again'])
    expect([path, await sendFields(path, 1_000), await sendFields(path, 1_001)]).toEqual([
      path,
      path === '/console/setup/shop/zone' ? 303 : 400,
      413,
    ]);
});

test('another team changes nothing by its own forms, though they name all that there is', async ({
  server,
}) => {
  const { shop, forms } = await openFullShop(server);
  const { teamId } = await openShop(server);
  const before = await rowsOf(shop);
  for (const [path, fields] of Object.entries(forms)) {
    // Some of them end the session.
    const { status } = await send(server, teamId, path, fields, await cookieOf(server, teamId));
    expect([path, status < 500]).toEqual([path, true]);
  }
  expect(await rowsOf(shop)).toEqual(before);
});

test('the same forms change it when its owner sends them', { tags: ['slow'] }, async ({ server }) => {
  const { forms } = await openFullShop(server);
  const unchanged: string[] = [];
  for (const at of Object.keys(forms).keys()) {
    const { shop, owner, forms } = await openFullShop(server);
    const [path, fields] = Object.entries(forms)[at]!;
    const before = JSON.stringify(await rowsOf(shop));
    await send(server, shop.teamId, path, fields, { cookie: owner.cookie });
    if (JSON.stringify(await rowsOf(shop)) === before) unchanged.push(path);
  }
  // They change nothing, or take what only another page can give.
  expect(unchanged).toEqual(['/setup/install/check', '/compare', '/compare/again', '/setup/shop/samples']);
});
