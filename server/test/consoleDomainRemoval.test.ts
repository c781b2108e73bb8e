import { expect, it } from 'vitest';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

const domains = ({ sql }: Awaited<ReturnType<typeof startServerForTest>>) =>
  sql`select entry, is_test as "isTest" from domain order by 1`;

const decode = (text: string) => text.replaceAll('&amp;', '&');

it('removing a domain without orders of today offers Undo, which allows it again as it was, for this session alone', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('shop.example');
  // As `domain add --live` allows it; the form of the page would make it a test.
  await server.sql`insert into domain (team_id, entry, is_test) values (${uuid}, 'localhost', false)`;
  const [ann, bob] = [await signIn(server, teamId), await signIn(server, teamId)];
  const formToken = await ann.formToken();
  const removal = await ann.post('/console/domains/remove', { domain: 'localhost', formToken });
  expect(await domains(server)).toEqual([{ entry: 'shop.example', isTest: false }]);
  const place = removal.headers.get('location')!;
  expect((await bob.get(place)).text).not.toContain('Removed localhost');
  const { text } = await ann.get(place);
  expect(text).toContain('Removed localhost');
  const [, proof] = /name="proof" value="([^"]+)"/.exec(text)!;
  const undo = { removed: 'localhost', was: 'live', proof: proof!, formToken };
  for (const changed of [{ removed: 'evil.example' }, { was: 'test' }, { proof: 'x' }]) {
    expect((await ann.post('/console/domains/restore', { ...undo, ...changed })).status).toBe(400);
  }
  const foreign = await bob.post('/console/domains/restore', { ...undo, formToken: await bob.formToken() });
  expect(foreign.status).toBe(400);
  expect(await domains(server)).toHaveLength(1);
  expect((await ann.post('/console/domains/restore', undo)).status).toBe(303);
  // The back button leads to that page again.
  expect((await ann.get(place)).text).not.toContain('Removed localhost');
  expect(await domains(server)).toEqual([
    { entry: 'localhost', isTest: false },
    { entry: 'shop.example', isTest: false },
  ]);
  await server.sql`update domain set is_test = true where entry = 'localhost'`;
  await ann.post('/console/domains/restore', undo);
  expect(await domains(server)).toContainEqual({ entry: 'localhost', isTest: true });
});

it('removing a domain whose pages another one includes says that their orders still count, before and after', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('www.shop.example', '*.eu.shop.example', '*.shop.example');
  await server.sql`insert into domain (team_id, entry, is_test) values (${uuid}, 'shop.example', true)`;
  await server.report(
    { teamId, email: 'ann@buyer.example', amount: 1 },
    { origin: 'https://www.shop.example' },
  );
  const person = await signIn(server, teamId);
  const form = { formToken: await person.formToken(), domain: 'www.shop.example' };
  const remove = (fields: Record<string, string>) =>
    person.post('/console/domains/remove', { ...form, ...fields });
  const still = 'still count, as tests, because shop.example is allowed.';
  expect((await remove({})).text).toContain(still);
  const read = async ({ headers }: { headers: Headers }) => (await person.get(headers.get('location')!)).text;
  const text = await read(await remove({ sure: 'yes' }));
  expect(text).toContain(`Removed www.shop.example. Orders of its pages ${still}`);
  const isStored = await server.report(
    { teamId, email: 'ann@buyer.example', amount: 2 },
    { origin: 'https://www.shop.example' },
  );
  expect(isStored.body.data.isTest).toBe(true);
  expect(await read(await remove({ domain: '*.eu.shop.example' }))).toContain(
    'still count, as live orders, because *.shop.example is allowed',
  );
  expect(await read(await remove({ domain: '*.shop.example' }))).toContain('are refused from now on');
});

it('removing a domain with orders of today asks first, and names their number and money', async () => {
  const server = await startServerForTest();
  const { teamId, uuid } = await server.addTeam('shop.example');
  await server.sql`
    insert into domain (team_id, entry, is_test) values (${uuid}, '*.shop.example', false), (${uuid}, 'old.example', false)`;
  const order = (orderId: string, host: string, rest: object = {}) =>
    server.report(
      { teamId, email: 'ann@buyer.example', amount: 10.1, orderId, ...rest },
      { origin: `https://${host}` },
    );
  await order('o-1', 'shop.example');
  await order('o-2', 'www.shop.example', { amount: 20.2 });
  await order('o-3', 'shop.example', { currency: 'EUR' });
  await order('o-4', 'eu.shop.example', { amount: 999 });
  const { body } = await order('o-5', 'old.example');
  expect(body.data.isNew).toBe(true);
  await server.sql`update placed_order set created_at = now() - interval '2 d' where order_id = 'o-5'`;

  const person = await signIn(server, teamId);
  const formToken = await person.formToken();
  const remove = (domain: string, rest: Record<string, string> = {}) =>
    person.post('/console/domains/remove', { domain, formToken, ...rest });
  const asked = await person.post(
    '/console/domains/remove',
    { domain: 'shop.example', formToken },
    { 'accept-language': 'en-US' },
  );
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Remove shop.example?')]);
  expect(asked.text).toContain('<strong>3 orders, $30.30, €10.10</strong>');
  expect(await domains(server)).toHaveLength(3);
  expect((await remove('old.example')).status).toBe(303);
  const done = await remove('shop.example', { sure: 'yes' });
  expect(decode((await person.get(done.headers.get('location')!)).text)).toContain('Removed shop.example');
  expect(await domains(server)).toEqual([{ entry: '*.shop.example', isTest: false }]);
  expect((await remove('shop.example')).headers.get('location')).toBe('/console/setup#domains');
});
