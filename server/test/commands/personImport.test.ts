import { expect, onTestFinished } from 'vitest';
import { importPeople } from '../../src/commands/personImport.js';
import { addPeople } from '../../src/core/people/sql/person.js';
import { connect } from '../../src/database/connection/connect.js';
import { findSecret } from '../../src/database/installation.js';
import { personUuid } from '../../src/values/ids.js';
import { itOffCitus } from '../kit/offCitus.js';
import { startServerForTest } from '../kit/server.js';
import { type Shop, test } from '../kit/shop.js';

const emailOf = (n: number) => `p${String(n).padStart(4, '0')}@buyer.example`;

/** A CSV as the bytes of a file. */
async function* bytesOf(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** Yields a CSV in pieces of 100 people. When the last piece is requested, the import has stored nearly all before it. */
async function* csvOf(numbers: number[], beforeLast: () => Promise<unknown> = async () => {}) {
  yield Buffer.from('email,name\n');
  for (let at = 0; at < numbers.length; at += 100) {
    if (at + 100 >= numbers.length) await beforeLast();
    const rows = numbers.slice(at, at + 100).map((n) => `${emailOf(n)},Person ${n}\n`);
    yield Buffer.from(rows.join(''));
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Adds people without names. An import adds the names. */
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

/** Returns the result of an import without bad rows. */
const whole = (imported: number, rows = imported) => ({ imported, rows, refusedRows: 0, refused: [] });

test('of people who come again each is imported once, with the first name', async ({ shop }) => {
  const rows = upTo(2_500).map((n) => `Person ${n},x,${emailOf(n)}\n`);
  const csv = bytesOf(`Name,Note,EMAIL\n${rows.join('')}`, '"Last, first",y,P0000@Buyer.example\n');
  expect(await importPeople(shop.sql, shop.team, csv)).toEqual(whole(2_501));
  expect(await namesOf(shop)).toEqual(upTo(2_500).map((n) => `Person ${n}`));
});

test.for([
  ['Email Address,First Name,Last Name\na@buyer.example,Ann,Lee\n', 'Ann Lee'],
  ['E-Mail;Name\na@buyer.example;Ann Lee\n', 'Ann Lee'],
  ['Customer ID\tFirst Name\tLast Name\tEmail\n1\tAnn\t\ta@buyer.example\n', 'Ann'],
  ['Full Name,First Name,Last Name,email_address\nAnn Lee,Ann,Lee,a@buyer.example\n', 'Ann Lee'],
  ['email,name\na@buyer.example,Ann "the" Lee,more\n', 'Ann "the" Lee'],
  ['E-Mail-Adresse;Vorname;Nachname\na@buyer.example;Ann;Lee\n', 'Ann Lee'],
  ['Adresse e-mail;Nom;Prénom\na@buyer.example;Lee;Ann\n', 'Ann Lee'],
  ['email;nom\na@buyer.example;Ann Lee\n', 'Ann Lee'],
  ['email\na@buyer.example\n', null],
] as const)('of the file %j the person is called %j', async ([csv, name], { shop }) => {
  expect(await importPeople(shop.sql, shop.team, bytesOf(csv))).toEqual(whole(1));
  expect(await namesOf(shop)).toEqual([name]);
});

test.for([
  ['name\nAnn\n', /must name a column email\. It has: name\./],
  ['', /The file is empty/],
  ['\n\n', /The file is empty/],
  ['email,Email\na@buyer.example,bob@buyer.example\n', /Two columns are called "email"/],
  ['email,name, NAME\na@buyer.example,Ann,Bob\n', /Two columns are called/],
  ['email,name\na@buyer.example,"Ann\n', /a quote is not closed/],
] as const)('the file %j is refused as a whole', async ([csv, message], { shop }) => {
  await expect(importPeople(shop.sql, shop.team, bytesOf(csv))).rejects.toThrow(message);
  expect(await namesOf(shop)).toEqual([]);
});

test('bad rows are listed, and the others are imported', async ({ shop }) => {
  const bad = `,Nobody\nnot-an-email,Bob\nc@buyer.example,${'x'.repeat(256)}\n`;
  const csv = bytesOf(`email,name\n${bad}a@buyer.example,Ann\n${',x\n'.repeat(1_000)}`);
  const { refused, ...outcome } = await importPeople(shop.sql, shop.team, csv);
  expect(outcome).toEqual({ imported: 1, rows: 1_004, refusedRows: 1_003 });
  expect(refused).toHaveLength(1_000);
  expect(refused.slice(0, 3)).toEqual([
    { line: 2, message: expect.stringMatching(/^email must/) },
    { line: 3, message: expect.stringMatching(/^email must be an email address/) },
    { line: 4, message: 'name must be at most 255 characters' },
  ]);
  expect(await namesOf(shop)).toEqual(['Ann']);
});

test('two concurrent imports of the same people in opposite orders both succeed', { tags: ['all'] }, async ({
  shop,
}) => {
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
  expect(results).toEqual(Array(2).fill(whole(3_000)));
  expect((await namesOf(shop)).toSorted()).toEqual(numbers.map((n) => `Person ${n}`).toSorted());
});

test('an import with slow input does not hold up orders of its people', async ({ shop }) => {
  await addNameless(shop, [0]);
  const order = async (n: number) =>
    expect((await shop.reportByKey({ email: emailOf(n), name: `Buyer ${n}` })).status).toBe(200);
  const reportBoth = () => Promise.all([order(0), order(1)]);
  const imported = await importPeople(shop.sql, shop.team, csvOf(upTo(3_000), reportBoth));
  expect(imported).toEqual(whole(3_000));
  expect(await namesOf(shop)).toHaveLength(3_000);
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
    expect(await importPeople(sql, team, csvOf([1, 2]))).toEqual(whole(2));
    expect(await namesOf({ sql, team })).toEqual(['Person 1', 'Person 2']);
    // Each failed attempt ended at its first person.
    expect(await sql`select last_value::int as inserts from attempt`).toEqual([{ inserts: 4 }]);
  },
);

test('an import that loses its connection goes on with another one', { tags: ['all'] }, async ({ shop }) => {
  const lost = connect(shop.server.env.DATABASE_URL!, 1);
  // A connection that the database has ended may not end by itself.
  onTestFinished(() => lost.end({ timeout: 1 }));
  const [self] = await lost<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const kill = () => shop.sql`select pg_terminate_backend(${self.pid}, 10000)`;
  expect(await importPeople(lost, shop.team, csvOf(upTo(3_000), kill))).toEqual(whole(3_000));
  expect(await namesOf(shop)).toEqual(upTo(3_000).map((n) => `Person ${n}`));
});

test('a row that never ends is refused while more of it comes, and nothing is stored', async ({ shop }) => {
  async function* endless() {
    yield Buffer.from('email,name\nann@buyer.example,Ann\nbob@buyer.example,"Bob');
    for (;;) yield Buffer.from('x'.repeat(100_000));
  }
  await expect(importPeople(shop.sql, shop.team, endless())).rejects.toThrow(
    /^Nothing was imported: The row that begins near line 3 never ends/,
  );
  expect(await namesOf(shop)).toEqual([]);
});
