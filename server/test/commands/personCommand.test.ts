import { expect } from 'vitest';
import { decodeId } from '../../src/values/ids.js';
import { addTestSource } from '../features/sources/kit/sources.js';
import { charge, stripeEvent } from '../features/sources/kit/stripeSamples.js';
import { complaintOf, json, runOrderbeacon } from '../kit/command.js';
import { test } from '../kit/shop.js';

const ann = '--email Ann@Buyer.example';

test('a person is added, enrolled, listed, exported and erased', async ({ shop }) => {
  const sequence = await json(shop, 'sequence create --name Welcome');
  expect(sequence).toEqual({ id: expect.stringMatching(/^seq_/), name: 'Welcome' });
  const person = await json(shop, `person add ${ann} --name Ann`);
  expect(person).toEqual({ id: expect.stringMatching(/^ppl_/), email: 'ann@buyer.example', name: 'Ann' });
  await shop.enroll({ email: 'ann@buyer.example', sequenceId: sequence.id });
  const { data } = (await shop.report({ amount: 12.5, name: 'Ann', visitorId: 'v1', orderId: 'o-1' })).body;
  expect(data.peopleId).toBe(person.id);
  expect(await json(shop, 'sequence list')).toEqual([{ ...sequence, enrolled: 1 }]);

  expect(await json(shop, `person export ${ann}`)).toMatchObject({
    ...person,
    subscriptions: [{ sequenceId: sequence.id }],
    orders: [{ id: data.id, amount: 12.5 }],
  });

  const erased = { ...person, orders: 1, subscriptions: 1, refused: 0, sourceEvents: 0 };
  expect(await json(shop, `person erase ${ann}`)).toEqual(erased);
  expect(await json(shop, 'person list')).toEqual([]);
  const [kept] = await json(shop, 'order list');
  expect(kept).toMatchObject({
    id: data.id,
    orderId: 'o-1',
    amount: 12.5,
    email: null,
    name: null,
    visitorId: null,
  });
  expect(kept.peopleId).not.toBe(person.id);
  const dump = await shop.sql`select person::text from person where team_id = ${shop.team}`;
  expect(JSON.stringify(dump).toLowerCase()).not.toContain('ann');
});

test('a person who was added stays when an order names another buyer, and one whom an order made goes', async ({
  shop,
}) => {
  await json(shop, `person add ${ann}`);
  const listed = async () => (await json(shop, 'person list')).map(({ email }: { email: string }) => email);
  for (const [orderId, email] of [
    ['o-1', 'ann@buyer.example'],
    ['o-2', 'typo@buyer.example'],
  ] as const) {
    await shop.report({ orderId, email });
    expect((await shop.reportByKey({ orderId, email: 'bob@buyer.example' })).status).toBe(200);
  }
  expect(await listed()).toEqual(['ann@buyer.example', 'bob@buyer.example']);
  // She is added by hand after an order had created her.
  await shop.report({ orderId: 'o-3', email: 'eve@buyer.example' });
  await json(shop, 'person add --email eve@buyer.example');
  await shop.reportByKey({ orderId: 'o-3', email: 'bob@buyer.example' });
  expect(await listed()).toContain('eve@buyer.example');
});

test('an order of an erased buyer keeps no word of a page or a key about them, and takes none later', async ({
  shop,
}) => {
  const { data } = (await shop.report({ orderId: 'o-1', name: 'Of the page', visitorId: 'v-of-ann' })).body;
  await shop.reportByKey({ orderId: 'o-1', name: 'Of the key' });
  await shop.report({ orderId: 'o-2' });
  const ofAnn = new RegExp(`Of the page|Of the key|v-of-ann|ann@|${decodeId('ppl', data.peopleId)}`, 'g');
  const words = async () => {
    const said = await shop.sql`select object, said from statement where team_id = ${shop.team}`;
    const named = await shop.sql`select object, key from order_key where team_id = ${shop.team}`;
    return JSON.stringify([await shop.stored(), said, named]).match(ofAnn) ?? [];
  };
  expect(new Set(await words()).size).toBe(5);
  await json(shop, `person erase ${ann}`);
  expect(await words()).toEqual([]);
  await shop.reportByKey({ orderId: 'o-2', name: 'Of the key', visitorId: 'v-of-ann' });
  expect(await shop.sql`select from statement where team_id = ${shop.team}`).toHaveLength(4);
  expect(await words()).toEqual([]);
});

test.for([
  ['who has no order', []],
  ['who has another order', [{ orderId: 'own', email: 'bob@buyer.example' }]],
] as const)('a page that waits goes with a person %s', async ([_, others], { shop }) => {
  const { sql, team } = shop;
  for (const each of others) await shop.report(each);
  await shop.reportByKey({ orderId: 'o-1' });
  const page = { orderId: 'o-1', email: 'bob@buyer.example', name: 'Bob' };
  expect((await shop.report(page)).status).toBe(409);
  const waiting = () => sql`select from statement where team_id = ${team} and placed_order_id is null`;
  expect(await waiting()).toHaveLength(1);
  const { id } = await json(shop, 'person erase --email bob@buyer.example');
  expect(await waiting()).toEqual([]);
  const named = `%${decodeId('ppl', id)}%`;
  expect(await sql`select from order_key where team_id = ${team} and object like ${named}`).toEqual([]);
  expect((await shop.read('o-1')).body.data.email).toBe('ann@buyer.example');
});

test('a buyer whom a payment has replaced by another one is erased from that order, too', async ({
  server,
  shop,
}) => {
  const { sql, team } = shop;
  const stripe = await addTestSource(server, team, { kind: 'stripe' });
  const sent = {
    orderId: 'o-1',
    email: 'typo@buyer.example',
    name: 'Typo',
    amount: 49.9,
    items: [{ sku: 'A' }],
  };
  const { id } = (await shop.reportByKey(sent, { idempotencyKey: 'k' })).body.data;
  await shop.refund({ orderId: id, refundId: 'r-1', amount: 5 });
  const created = Math.floor(Date.now() / 1_000);
  const paid = charge({ metadata: { orderId: 'o-1' }, currency: 'usd', created });
  await stripe.say(stripeEvent('charge.succeeded', paid, { created }));
  const mentions = () => sql`select from statement where team_id = ${team} and said::text ilike '%typo%'`;
  expect(await mentions()).toHaveLength(1);

  const { id: personId } = await json(shop, 'person erase --email typo@buyer.example');
  expect(await mentions()).toEqual([]);
  const uuid = decodeId('ppl', personId);
  const left = await sql`
    select said::text from statement where team_id = ${team} and said::text like ${`%${uuid}%`}
    union all select key from order_key where team_id = ${team} and person_id = ${uuid}`;
  expect(left).toEqual([]);
  expect((await shop.read(id)).body.data).toMatchObject({
    email: 'ann@shop.example',
    items: [{ sku: 'A' }],
    refundedAmount: 5,
  });
});

test('person add gives a known person a name that no report changes', async ({ shop }) => {
  const { data } = (await shop.report({ name: 'Squatted' })).body;
  const person = { id: data.peopleId, email: 'ann@buyer.example', name: 'Ann' };
  expect(await json(shop, `person add ${ann} --name Ann`)).toEqual(person);
  await shop.report({ name: 'Squatted' });
  await shop.reportByKey({ name: 'Key' });
  expect(await json(shop, 'person list')).toEqual([person]);
  expect(await json(shop, `person add ${ann}`)).toEqual(person);
  expect(await json(shop, `person add ${ann} --name Other`)).toEqual({ ...person, name: 'Other' });
});

test.for([
  ['person erase --email no@body.example', 'This team has no person with the email "no@body.example".'],
  ['person add --email x', '--email must be an email address'],
  ['person add --email eve@buyer.example --name=', '--name must be 1 to 255 characters'],
])('%s is refused with one line: %s', async ([line, words], { shop }) => {
  expect(complaintOf(await shop.command(...line!.split(' ')))).toContain(words);
});

test('person import takes a CSV file, lists its bad rows, and ends with 1 for them', async ({ shop }) => {
  const run = (input: string | Buffer, file = '-') =>
    runOrderbeacon(['person', 'import', '--team', shop.teamId, file], shop.server.env, input);
  const latin1 = Buffer.from('email,name\nann@buyer.example,Jos\xe9\n', 'latin1');
  expect(complaintOf(await run(latin1))).toMatch(/The file is not UTF-8/);
  expect(complaintOf(await run('', '/'))).toMatch(/Cannot read \/: EISDIR/);
  expect(await json(shop, 'person list')).toEqual([]);
  const csv = '\uFEFFName,Note,EMAIL\nAnn,x,ann@buyer.example\n"Last, first",y,bob@buyer.example\n';
  const { code, stdout } = await run(`${csv}Bad,z,not-an-email\n`);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^line 4: email must be .*\nImported 2 people from 3 rows\.\n$/),
  ]);
  expect((await run(csv)).code).toBe(0);
  expect(await json(shop, 'person list')).toMatchObject([
    { email: 'ann@buyer.example', name: 'Ann' },
    { email: 'bob@buyer.example', name: 'Last, first' },
  ]);
});
