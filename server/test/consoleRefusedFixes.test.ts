import { beforeEach, expect, it } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let team: Awaited<ReturnType<typeof server.addTeam>>;
let person: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  server = await startServerForTest();
  team = await server.addTeam('shop.example');
  person = await signIn(server, team.teamId);
});

async function refuse(order: object, headers: Record<string, string> = { origin: 'https://shop.example' }) {
  const sent = { teamId: team.teamId, email: 'ann@buyer.example', amount: 10, ...order };
  expect((await server.report(sent, headers)).status).toBeGreaterThanOrEqual(400);
}

const stored = () => server.sql`select order_id as id, amount, currency from placed_order order by order_id`;

async function idOf(orderId: string) {
  const [row] = await server.sql<{ id: string }[]>`select id from refused_report where order_id = ${orderId}`;
  return encodeId('ref', row!.id);
}

const english = { 'accept-language': 'en-US' };
const page = async (path: string) => (await person.get(path, english)).text;

async function correct(orderId: string, fields: Record<string, string>) {
  const id = await idOf(orderId);
  const formToken = await person.formToken();
  return person.post('/console/refused/correct', { id, formToken, ...fields }, english);
}

it('each page names the refused reports and the money at risk in its navigation, at the cost of one statement', async () => {
  const mark = async (path = '/console/setup') =>
    />\s*(Refused[^<]*)<\/a>/.exec(await page(path))![1]!.trim();
  expect(await mark()).toBe('Refused');
  await refuse({ orderId: 'o-0', amount: 'much' });
  expect(await mark()).toBe('Refused (1)');
  const host = { origin: 'https://checkout.example' };
  await refuse({ orderId: 'o-1', amount: 120 }, host);
  await refuse({ orderId: 'o-2', amount: 50 }, host);
  for (const path of ['', '/orders', '/refused', '/webhooks', '/setup', '/check', '/compare']) {
    expect([path, await mark(`/console${path}`)]).toEqual([path, 'Refused (3) · $170']);
  }
  await refuse({ orderId: 'o-3', amount: 5000.5, currency: 'EUR' }, host);
  expect(await mark()).toBe('Refused (4) · $170 + others');
  await server.sql`
    insert into refused_report (team_id, id, identity, reason, field, host, body, is_cut, received_at, last_at, times,
      is_allowed, places, amount, currency)
    select ${team.uuid}::uuid, gen_random_uuid(), 'made up ' || n, 'domain_not_allowed', '', 'one.example', '{}', false,
      now(), now(), 1, true, 1, 1, 'USD'
    from generate_series(1, 1500) n`;
  expect(await mark()).toMatch(/^Refused \(1,00\d\+\) · \$1,00\d$/);
});

it('the page of one report corrects all amounts that are read as its own, and leaves those that can be read otherwise', async () => {
  await refuse({ orderId: 'o-1', amount: '49,90 €' });
  await refuse({ orderId: 'o-2', amount: '1.234,50 €' });
  await refuse({ orderId: 'o-3', amount: 'much' });
  await refuse({ orderId: 'o-4', amount: '1.234 €' });
  await refuse({ orderId: 'other host', amount: '49,90 €' }, { origin: 'https://www.shop.example' });
  expect(await page(`/console/refused/${await idOf('o-1')}`)).toContain('Correct all 4 like this');
  expect(await page(`/console/refused/${await idOf('o-3')}`)).not.toContain('like this');
  // In French the point of 1.234 is a decimal point, in German it is none, and 49,90 is the same in both.
  const done = await correct('o-1', { amount: '49.90', all: 'yes' });
  expect(done.headers.get('location')).toBe('/console/refused?stored=2&refused=2');
  expect(await stored()).toEqual([
    { id: 'o-1', amount: '49.9', currency: 'USD' },
    { id: 'o-2', amount: '1234.5', currency: 'USD' },
  ]);
  // Somebody who reads it as German has said so.
  await refuse({ orderId: 'o-5', amount: '5.678 €' });
  await correct('o-4', { amount: '1234', all: 'yes' });
  expect(await stored()).toContainEqual({ id: 'o-5', amount: '5678', currency: 'USD' });
});

it('an amount below zero, with whatever minus a language writes, is stored with no others', async () => {
  const below = ['-49,90', '−49,90', '–49,90 €', '(49,90)', '49,90−'];
  for (const [n, amount] of below.entries()) await refuse({ orderId: `below-${n}`, amount });
  await refuse({ orderId: 'o-1', amount: '49,90 €' });
  await refuse({ orderId: 'o-2', amount: '1.234,– €' });
  await correct('o-1', { amount: '49.90', all: 'yes' });
  const formToken = await person.formToken();
  const kind = { reason: 'invalid_request', host: 'shop.example', field: 'amount', formToken };
  await person.post('/console/refused/correct-all', kind);
  expect(await stored()).toEqual([{ id: 'o-1', amount: '49.9', currency: 'USD' }]);
  expect(await page(`/console/refused/${await idOf('below-1')}`)).toContain('value="−49,90"');
});

it('an amount that is corrected to another one corrects no other report, and neither does a correction that is refused', async () => {
  await refuse({ orderId: 'o-1', amount: '49,90' });
  await refuse({ orderId: 'o-2', amount: '59,90' });
  const other = await correct('o-1', { amount: '45', all: 'yes' });
  expect([other.status, other.text]).toEqual([400, expect.stringContaining('Store this one alone.')]);
  const noEmail = await correct('o-1', { amount: '49.90', email: 'nobody', all: 'yes' });
  expect([noEmail.status, await stored()]).toEqual([400, []]);
  expect((await correct('o-1', { amount: '45' })).status).toBe(303);
  expect(await stored()).toEqual([{ id: 'o-1', amount: '45', currency: 'USD' }]);
});

it('a corrected currency is for all reports with the same text in its place', async () => {
  for (const [orderId, currency] of [
    ['o-1', '€'],
    ['o-2', '€'],
    ['o-3', 'US $'],
  ])
    await refuse({ orderId, currency });
  await correct('o-1', { currency: 'EUR', all: 'yes' });
  expect(await stored()).toEqual([
    { id: 'o-1', amount: '10', currency: 'EUR' },
    { id: 'o-2', amount: '10', currency: 'EUR' },
  ]);
});

it('a group whose reports would be refused again has no button that stores them as they are', async () => {
  await refuse({ orderId: 'o-1', email: 'nobody' });
  expect(await page('/console/refused')).not.toContain('/console/refused/store');
  expect(
    (
      await server.report(
        { teamId: team.teamId, email: 'bob@buyer.example', amount: 1, orderId: 'o-2' },
        { origin: 'https://shop.example' },
      )
    ).status,
  ).toBe(200);
  await refuse({ orderId: 'o-2' });
  expect(await page('/console/refused')).not.toContain('/console/refused/store');
});

it('a report that is wrong in a field which an order does not need is stored by one press, without that field', async () => {
  const key = await server.addKey(team.uuid);
  await refuse({ orderId: 'o-1', source: 'a shop' }, { authorization: `Bearer ${key}` });
  expect((await correct('o-1', {})).headers.get('location')).toBe('/console/refused?stored=1');
  expect(await stored()).toEqual([{ id: 'o-1', amount: '10', currency: 'USD' }]);
});

it('discarding names the money, and that nobody can undo it', async () => {
  await refuse({ orderId: 'o-1', amount: 49.9 }, { origin: 'https://checkout.example' });
  expect(await page('/console/refused')).toContain(
    'These will never count: <strong>1 order, $49.90</strong>. Nobody can undo this.',
  );
  expect(await page(`/console/refused/${await idOf('o-1')}`)).toContain(
    'This order of $49.90 will never count.',
  );
});
