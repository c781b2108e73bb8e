import { expect, onTestFinished } from 'vitest';
import { importPeople } from '../src/commands/personImport.js';
import { connect } from '../src/database/connection/connect.js';
import { findSecret } from '../src/database/installation.js';
import { addPeople } from '../src/people/sql/person.js';
import { personUuid } from '../src/values/ids.js';
import { itOffCitus } from './offCitus.js';
import { startServerForTest } from './server.js';
import { type Shop, test } from './shop.js';

const emailOf = (n: number) => `p${String(n).padStart(4, '0')}@buyer.example`;

/** CSV in pieces of 100 people. When the last piece is requested, the import has taken nearly all before it. */
async function* csvOf(numbers: number[], beforeLast: () => Promise<unknown> = async () => {}) {
  yield 'email,name\n';
  for (let at = 0; at < numbers.length; at += 100) {
    if (at + 100 >= numbers.length) await beforeLast();
    yield numbers
      .slice(at, at + 100)
      .map((n) => `${emailOf(n)},Person ${n}\n`)
      .join('');
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Adds people without names, which an import then adds. */
async function addNameless({ sql, team }: Shop, numbers: number[]) {
  const secret = await findSecret(sql);
  const people = numbers.map((n) => ({
    id: personUuid(secret, team, emailOf(n)),
    email: emailOf(n),
    name: null,
  }));
  await addPeople(sql, team, people);
}

const namesOf = async ({ sql, team }: Pick<Shop, 'sql' | 'team'>) =>
  (await sql`select name from person where team_id = ${team} order by email`).map(({ name }) => name);

test('of people who come again each is imported once, with the first name', async ({ shop }) => {
  const rows = upTo(2_500).map((n) => `Person ${n},x,${emailOf(n)}\n`);
  async function* csv() {
    yield `Name,Note,EMAIL\n${rows.join('')}`;
    yield '"Last, first",y,P0000@Buyer.example\n';
  }
  expect(await importPeople(shop.sql, shop.team, csv())).toEqual({ imported: 2_500, rows: 2_501 });
  expect(await namesOf(shop)).toEqual(upTo(2_500).map((n) => `Person ${n}`));
});

test.for([
  ['name\nAnn\n', /columns, and one of them must be email/],
  ['', /columns, and one of them must be email/],
  ['\n\n', /columns, and one of them must be email/],
  ['email;name\nann@buyer.example;Ann\n', /separates its columns by semicolons/],
  ['email,name\nann@buyer.example,Ann,more\n', /line 2/],
  ['email,Email\nann@buyer.example,bob@buyer.example\n', /two columns are called email/],
  ['email,name, NAME\nann@buyer.example,Ann,Bob\n', /two columns are called name/],
  ['email,name\nann@buyer.example,"Ann\n', /^Nothing was imported: Quote/],
  ['email,name\nann@buyer.example,Ann "the" B\n', /^Nothing was imported: Invalid Opening Quote.*line 2/],
  ['email\nann@buyer.example\nnot-an-email\n', /^Nothing was imported: line 3: email must be/],
] as const)('the file %j is refused as a whole', async ([csv, message], { shop }) => {
  const pieces = async function* () {
    yield csv;
  };
  await expect(importPeople(shop.sql, shop.team, pieces())).rejects.toThrow(message);
  expect(await namesOf(shop)).toEqual([]);
});

test('two concurrent imports of the same people in opposite orders both succeed', async ({ shop }) => {
  const numbers = upTo(3_000);
  await addNameless(shop, numbers.slice(0, 1_500));
  let waiting = 0;
  let meet: () => void;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const meeting = () => {
    if (++waiting === 2) meet();
    return met;
  };
  const { sql, team } = shop;
  const results = await Promise.all(
    [numbers, numbers.toReversed()].map((some) => importPeople(sql, team, csvOf(some, meeting))),
  );
  expect(results).toEqual(Array(2).fill({ imported: 3_000, rows: 3_000 }));
  expect((await namesOf(shop)).toSorted()).toEqual(numbers.map((n) => `Person ${n}`).toSorted());
});

test('an import with slow input does not hold up orders of its people, and the name of such an order stays', async ({
  shop,
}) => {
  await addNameless(shop, [0]);
  const order = async (n: number) =>
    expect((await shop.reportByKey({ email: emailOf(n), name: `Buyer ${n}` })).status).toBe(200);
  const reportBoth = () => Promise.all([order(0), order(1)]);
  const imported = await importPeople(shop.sql, shop.team, csvOf(upTo(3_000), reportBoth));
  expect(imported).toEqual({ imported: 3_000, rows: 3_000 });
  const names = await namesOf(shop);
  expect([names.slice(0, 2), names.length]).toEqual([['Buyer 0', 'Buyer 1'], 3_000]);
});

itOffCitus('its workers do not have the PostgreSQL sequence that counts the attempts')(
  'an import that loses a deadlock is tried again and stores everybody',
  async () => {
    const { sql, addTeam } = await startServerForTest();
    const { uuid: team } = await addTeam();
    // A PostgreSQL sequence is not rolled back, so it counts attempts: the first two deadlock, the third does not.
    await sql`create sequence attempt`;
    await sql.unsafe(`
      create function lose_twice() returns trigger language plpgsql as $$ begin
        if nextval('attempt') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger lose_twice before insert on person for each row execute function lose_twice()`);
    expect(await importPeople(sql, team, csvOf([1, 2]))).toEqual({ imported: 2, rows: 2 });
    expect(await namesOf({ sql, team })).toEqual(['Person 1', 'Person 2']);
    // Each failed attempt ended at its first person.
    expect(await sql`select last_value::int as inserts from attempt`).toEqual([{ inserts: 4 }]);
  },
);

test('an import that loses its database fails with nothing stored', async ({ shop }) => {
  const lost = connect(shop.server.env.DATABASE_URL!, 1);
  // A connection that the database has ended may never end by itself.
  onTestFinished(() => lost.end({ timeout: 1 }));
  const [self] = await lost<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const kill = () => shop.sql`select pg_terminate_backend(${self.pid}, 10000)`;
  await expect(importPeople(lost, shop.team, csvOf(upTo(3_000), kill))).rejects.toThrow();
  expect(await namesOf(shop)).toEqual([]);
});

test('a row that never ends is refused while more of it comes, and nothing is stored', async ({ shop }) => {
  async function* endless() {
    yield 'email,name\nann@buyer.example,Ann\nbob@buyer.example,"Bob';
    for (;;) yield 'x'.repeat(100_000);
  }
  await expect(importPeople(shop.sql, shop.team, endless())).rejects.toThrow(
    /^Nothing was imported: .* at line 3/,
  );
  expect(await namesOf(shop)).toEqual([]);
});
