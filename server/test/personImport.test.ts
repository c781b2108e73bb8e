import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { importPeople } from '../src/commands/personImport.js';
import { connect } from '../src/database/connection/connect.js';
import { findSecret } from '../src/database/installation.js';
import { addPeople } from '../src/people/sql/person.js';
import { personUuid } from '../src/values/ids.js';
import { itOffCitus } from './offCitus.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const emailOf = (n: number) => `p${String(n).padStart(4, '0')}@buyer.example`;

/** CSV in pieces of 100 people. When the last piece is requested, the import has taken nearly all before it. */
async function* csvOf(numbers: number[], beforeLast: () => Promise<unknown>) {
  yield 'email,name\n';
  for (let at = 0; at < numbers.length; at += 100) {
    if (at + 100 >= numbers.length) await beforeLast();
    yield numbers
      .slice(at, at + 100)
      .map((n) => `${emailOf(n)},Person ${n}\n`)
      .join('');
  }
}

/** Known people without names, which the import then adds. */
async function addNameless(teamId: string, numbers: number[]) {
  const secret = await findSecret(server.sql);
  const people = numbers.map((n) => ({
    id: personUuid(secret, teamId, emailOf(n)),
    email: emailOf(n),
    name: null,
  }));
  await addPeople(server.sql, teamId, people);
  return people.map(({ id }) => id);
}

const namesOf = async (teamId: string) =>
  (await server.sql`select name from person where team_id = ${teamId} order by email`).map(
    ({ name }) => name,
  );

it('two concurrent imports of the same people in opposite orders both succeed', async () => {
  const { uuid } = await server.addTeam();
  const numbers = Array.from({ length: 3000 }, (_, n) => n);
  await addNameless(uuid, numbers.slice(0, 1500));
  let meet: () => void;
  let waiting = 0;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const meeting = () => {
    if (++waiting === 2) meet();
    return met;
  };
  const results = await Promise.all([
    importPeople(server.sql, uuid, csvOf(numbers, meeting)),
    importPeople(server.sql, uuid, csvOf(numbers.toReversed(), meeting)),
  ]);
  expect(results).toEqual([
    { imported: 3000, rows: 3000 },
    { imported: 3000, rows: 3000 },
  ]);
  expect((await namesOf(uuid)).toSorted()).toEqual(numbers.map((n) => `Person ${n}`).toSorted());
});

it('an import with slow input does not hold up orders of its people, and the name of such an order stays', async () => {
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  const numbers = Array.from({ length: 3000 }, (_, n) => n);
  await addNameless(uuid, [0]);
  const order = async (n: number) => {
    const answer = await server.reportByKey(key, {
      teamId,
      email: emailOf(n),
      amount: 1,
      name: `Buyer ${n}`,
    });
    expect(answer.status).toBe(200);
  };
  const reportBoth = () => Promise.all([order(0), order(1)]);
  expect(await importPeople(server.sql, uuid, csvOf(numbers, reportBoth))).toEqual({
    imported: 3000,
    rows: 3000,
  });
  expect((await namesOf(uuid)).slice(0, 2)).toEqual(['Buyer 0', 'Buyer 1']);
  expect(await namesOf(uuid)).toHaveLength(3000);
});

itOffCitus('its workers do not have the PostgreSQL sequence that counts the attempts')(
  'an import that loses a deadlock is tried again and stores everybody',
  async () => {
    const { uuid } = await server.addTeam();
    const { sql } = server;
    // A PostgreSQL sequence is not rolled back, so it counts attempts: the first two deadlock, the third does not.
    await sql`create sequence attempt`;
    await sql.unsafe(`
    create function lose_twice() returns trigger language plpgsql as $$ begin
      if nextval('attempt') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger lose_twice before insert on person for each row
      when (new.team_id = '${uuid}') execute function lose_twice()`);
    expect(
      await importPeople(
        sql,
        uuid,
        csvOf([1, 2], async () => {}),
      ),
    ).toEqual({ imported: 2, rows: 2 });
    expect(await namesOf(uuid)).toEqual(['Person 1', 'Person 2']);
    // Each failed attempt ended at its first person.
    expect(await sql`select last_value::int as inserts from attempt`).toEqual([{ inserts: 4 }]);
  },
);

it('an import that loses its database fails with nothing stored', async () => {
  const { uuid } = await server.addTeam();
  const lost = connect(server.env.DATABASE_URL!, 1);
  // A connection that the database has ended may never end by itself.
  onTestFinished(() => lost.end({ timeout: 1 }));
  const [self] = await lost<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const numbers = Array.from({ length: 3000 }, (_, n) => n);
  const kill = () => server.sql`select pg_terminate_backend(${self.pid}, 10000)`;
  await expect(importPeople(lost, uuid, csvOf(numbers, kill))).rejects.toThrow();
  expect(await namesOf(uuid)).toEqual([]);
});

it('a row that never ends is refused while more of it comes, and nothing is stored', async () => {
  const { uuid } = await server.addTeam();
  async function* endless() {
    yield 'email,name\nann@buyer.example,Ann\nbob@buyer.example,"Bob';
    for (;;) yield 'x'.repeat(100_000);
  }
  await expect(importPeople(server.sql, uuid, endless())).rejects.toThrow(
    /^Nothing was imported: .* at line 3/,
  );
  expect(await namesOf(uuid)).toEqual([]);
});
