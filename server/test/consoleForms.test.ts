import { expect } from 'vitest';
import { tables } from '../src/database/tables.js';
import { encodeId } from '../src/values/ids.js';
import { appPaths } from './appRoutes.js';
import { postForm, signIn } from './console.js';
import { addTestHook, deliveryIdAt } from './hooks.js';
import { sendTo, type TestServer } from './server.js';
import { openShop, type Shop, test } from './shop.js';

/** A shop that has one of everything, a browser of its owner, and the forms that change it, by their paths. */
async function openFullShop(server: TestServer) {
  const shop = await openShop(server);
  const { sql, team, teamId, domain } = shop;
  await shop.report({ amount: '49,90' });
  await shop.report({}, { origin: 'https://checkout.example' });
  await shop.addDomain('checkout.example');
  const hookId = await addTestHook(sql, team);
  // Nothing is called.
  await sql`update hook set failing_since = now() where id = ${hookId}`;
  const [failed] = await sql<{ id: string }[]>`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, created_at, next_at, attempts, attempted_at, status, error)
    values (${team}, ${deliveryIdAt(sql, sql`now()`)}, ${hookId}, 'order.created', gen_random_uuid(), now(),
      now() + interval '1 day', 9, now(), 500, 'no')
    returning id`;
  const owner = await signIn(server, teamId);
  await signIn(server, teamId);
  await owner.submit('/console/sources', { kind: 'shopify', secret: 'a secret' });
  await owner.submit('/console/signing-keys', {});
  const only = async (table: string) =>
    (await sql<[{ id: string }]>`select id from ${sql(table)} where team_id = ${team}`)[0].id;
  const amount = (await shop.refused()).find(({ field }) => field === 'amount')!;
  const host = { reason: 'domain_not_allowed', host: 'checkout.example', field: '' };
  const hook = encodeId('hook', hookId);
  const key = encodeId('sig', await only('signing_key'));
  const source = encodeId('src', await only('source'));
  const forms: Record<string, Fields> = {
    '/console/check': { address: `${server.url}/docs` },
    '/console/compare': { mode: 'live' },
    '/console/compare/store': { orders: '' },
    '/console/domains': { domain: 'new.example' },
    '/console/domains/remove': { domain, sure: 'yes' },
    '/console/domains/restore': { removed: domain, was: 'test', proof: 'x' },
    '/console/links': { may: 'all' },
    '/console/refused/allow': { host: 'checkout.example' },
    '/console/refused/correct': { id: encodeId('ref', amount.id), amount: '1' },
    '/console/refused/correct-all': { reason: 'invalid_request', host: domain, field: 'amount' },
    '/console/refused/discard': { ...host, until: new Date().toISOString() },
    '/console/refused/store': host,
    '/console/sessions/revoke': { browser: 'all' },
    '/console/sign-out': {},
    '/console/signing-keys': { name: 'new' },
    '/console/signing-keys/require': { required: 'yes' },
    '/console/signing-keys/revoke': { key },
    '/console/sources': { kind: 'stripe' },
    '/console/sources/remove': { source },
    '/console/sources/secret': { source, secret: 'another' },
    '/console/switch': { team: teamId },
    '/console/webhooks': { url: 'https://receiver.invalid/', 'order.created': 'yes' },
    '/console/webhooks/remove': { hook },
    '/console/webhooks/resend': { delivery: `${encodeId('msg', failed!.id)}.${hook}` },
    '/console/webhooks/resend-failed': { hook, since: '30d' },
    '/console/webhooks/switch': { hook, on: 'no' },
    '/console/webhooks/test': { hook },
  };
  return { shop, owner, forms };
}

/** Forms that change nothing of a team, which browsers that may look only have. */
const harmless = ['/console/sign-out', '/console/switch'];

/** Every row that a team has. */
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

/** Sends a form as its page does. */
async function send({ url }: TestServer, path: string, fields: Fields, headers: Record<string, string>) {
  if (path !== '/console/compare') return postForm(url, path, fields, headers);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob(['orderId,amount\n1,5\n']), 'orders.csv');
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type')!;
  const body = Buffer.from(await encoded.arrayBuffer());
  return sendTo(new URL(path, url), 'POST', {
    headers: { origin: new URL(url).origin, 'content-type': type, ...headers },
    body,
  });
}

/** The cookie of a new browser of a team, and the token of its forms. */
async function enter(server: TestServer, teamId: string, isReadOnly = false): Promise<Fields> {
  const { cookie, formToken } = await signIn(server, teamId, { isReadOnly });
  return { cookie, formToken: await formToken() };
}

/** What a sender who may not gives with each form: a token, and headers. */
const strangers: Record<string, (server: TestServer, teamId: string) => Promise<Fields>> = {
  'nobody who is signed in': async () => ({ formToken: 'x' }),
  'a page of another site': async (...of) => ({ ...(await enter(...of)), origin: 'https://evil.example' }),
  'a page of no site': async (...of) => ({ ...(await enter(...of)), origin: 'null' }),
  'a form without its token': async (...of) => ({ ...(await enter(...of)), formToken: '' }),
  'a form of another session': async (...of) => ({
    ...(await enter(...of)),
    formToken: (await enter(...of)).formToken!,
  }),
  'a browser that may look only': (...of) => enter(...of, true),
};

test('each form of a signed-in page is among these', async ({ server }) => {
  const { forms } = await openFullShop(server);
  const posted = (await appPaths()).filter((route) => route.startsWith('POST /console/'));
  const paths = posted.map((route) => route.replace('POST ', ''));
  expect([...Object.keys(forms), '/console/sign-in'].sort()).toEqual(paths.sort());
});

test.for(Object.keys(strangers))('%s changes nothing of a team by any form', async (who, { server }) => {
  const { shop, forms } = await openFullShop(server);
  const { formToken, ...headers } = await strangers[who]!(server, shop.teamId);
  const before = await rowsOf(shop);
  for (const [path, fields] of Object.entries(forms)) {
    if (harmless.includes(path)) continue;
    const { status } = await send(server, path, { ...fields, formToken: formToken! }, headers);
    expect([path, status]).toEqual([path, headers.cookie ? 403 : 303]);
  }
  expect(await rowsOf(shop)).toEqual(before);
});

test('another team changes nothing by any form, though it names all that there is', async ({ server }) => {
  const { shop, forms } = await openFullShop(server);
  const other = await openShop(server);
  const before = await rowsOf(shop);
  for (const [path, fields] of Object.entries(forms)) {
    // Some of them end the session.
    const { formToken, ...headers } = await enter(server, other.teamId);
    const { status } = await send(server, path, { ...fields, formToken: formToken! }, headers);
    expect([path, status < 500]).toEqual([path, true]);
  }
  expect(await rowsOf(shop)).toEqual(before);
});

test('the same forms change it when its owner sends them', async ({ server }) => {
  const { forms } = await openFullShop(server);
  const unchanged: string[] = [];
  for (const path of Object.keys(forms)) {
    const { shop, owner, forms } = await openFullShop(server);
    const before = JSON.stringify(await rowsOf(shop));
    const fields = { ...forms[path], formToken: await owner.formToken() };
    await send(server, path, fields, { cookie: owner.cookie });
    if (JSON.stringify(await rowsOf(shop)) === before) unchanged.push(path);
  }
  // They change nothing, or take what only another page can give.
  expect(unchanged).toEqual([
    '/console/check',
    '/console/compare',
    '/console/compare/store',
    '/console/domains/restore',
    '/console/switch',
  ]);
});
