import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

type RunningServer = Awaited<ReturnType<typeof startServerForTest>>;

const foreign = { origin: 'https://other.example' };

/** Runs `person export`, `edit` or `erase` for a person of the team. */
function personOf({ env }: RunningServer, teamId: string, email: string) {
  return async (command: string, ...more: string[]) => {
    const args = ['person', command, '--team', teamId, '--email', email, ...more, '--json'];
    const { code, stdout, stderr } = await runOrderbeacon(args, env);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
}

it.each([
  ['ann@buyer.example', ['<ann@buyer.example>', `'ann@buyer.example'`, 'ann@buyer.example.']],
  ['ann@xn--bcher-kva.example', ['ann@bücher.example', '"ann@bücher.example"', 'ann@BÜCHER.example.']],
])('%s is exported, edited and erased with what release 0.2.0 stored as %j', async (email, spellings) => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  for (const [n, spelling] of spellings.entries()) {
    const order = { teamId, email: `stands-in-${n}@buyer.example`, amount: n, orderId: `o-${n}` };
    expect((await server.report(order)).status).toBe(200);
    await server.report({ ...order, orderId: `refused-${n}` }, foreign);
    await server.sql`update person set email = ${spelling} where team_id = ${uuid} and email = ${order.email}`;
    await server.sql`update refused_report set email = ${spelling} where team_id = ${uuid} and email = ${order.email}`;
  }
  for (const other of [`jo${email}`, 'zoë@buyer.example', `${email}.org`, `<bob@buyer.example>`]) {
    expect((await server.report({ teamId, email: other, amount: 1, name: email })).status).toBe(200);
    await server.report({ teamId, email: other, amount: 1, name: email }, foreign);
  }
  await server.report({ teamId, email, amount: 9, orderId: 'o-9' });

  const person = personOf(server, teamId, email);
  const ids = spellings.map((_, n) => `o-${n}`);
  const exported = await person('export');
  expect(exported).toMatchObject({ email, orders: expect.anything() });
  expect(exported.orders.map(({ orderId }: { orderId: string }) => orderId).sort()).toEqual([...ids, 'o-9']);
  expect(exported.otherSpellings.map((other: { email: string }) => other.email).sort()).toEqual(
    spellings.toSorted(),
  );
  expect(exported.refused).toHaveLength(spellings.length);

  expect(await person('edit', '--name', 'Ann')).toMatchObject({ email, name: 'Ann' });
  const named = await server.sql`select from person where team_id = ${uuid} and name = 'Ann'`;
  expect(named).toHaveLength(spellings.length + 1);

  expect(await person('erase')).toMatchObject({
    email,
    name: 'Ann',
    orders: ids.length + 1,
    refused: ids.length,
  });
  const left = await server.sql`select email from person where team_id = ${uuid} and email is not null`;
  expect(left).toHaveLength(4);
  expect(await waitingOf(server.sql, uuid)).toHaveLength(4);
  expect((await server.report({ teamId, email: ` <${email}>`, amount: 1 })).body.data.isNew).toBe(true);
});

it('a person whom release 0.2.0 stored under a wrapped spelling alone is erased by the plain email', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  await server.report({ teamId, email: 'stands-in@buyer.example', name: 'Ann', amount: 1 });
  await server.sql`update person set email = '<ann@buyer.example>' where team_id = ${uuid}`;
  const person = personOf(server, teamId, 'Ann@Buyer.example');
  expect(await person('erase')).toMatchObject({ email: 'ann@buyer.example', name: 'Ann', orders: 1 });
});

const spelt: [string, string[]][] = [
  [
    'ann@buyer.example',
    [
      ...['ann%40buyer.example', 'ann%2540buyer.example', 'ann\\u0040buyer.example', 'ann&#64;buyer.example'],
      ...['ann&commat;buyer.example', '.ann@buyer.example', 'ann@buyer.example.', '-ann@buyer.example-'],
      ...[
        '100%ann@buyer.example',
        `'ann@buyer.example'`,
        '\\"ann@buyer.example\\"',
        '\u00a0ann@buyer.example\u00a0',
      ],
      ...[
        '\\u00a0ann@buyer.example',
        '&nbsp;ann@buyer.example',
        'ANN@BUYER.EXAMPLE',
        '\\u003cann@buyer.example>',
      ],
    ],
  ],
  [
    'ann@xn--bcher-kva.example',
    ['ann@bücher.example', 'ann@B%C3%9Ccher.example', 'ann@b\\u00fccher.example'],
  ],
  ['ann@bücher.example', ['ann@xn--bcher-kva.example', 'ann%40xn--bcher-kva.example']],
];
const others = [
  'joann@buyer.example',
  'ann@buyer.example.org',
  'ann@buyer.example-shop.de',
  'ann+1@buyer.example',
];

it.each(spelt)(
  '%s is exported and erased from kept bodies, however they spell it',
  async (email, spellings) => {
    const server = await startServerForTest();
    const { uuid, teamId } = await server.addTeam('shop.example');
    const bodyWith = (text: string, n: number) =>
      `{"teamId":"${teamId}","orderId":"o-${n}","amount":1,"email":["bob, or see /?to=${text}"]}`;
    const bodies = spellings.map(bodyWith);
    for (const body of [...bodies, ...others.map((text, n) => bodyWith(text, 100 + n))])
      await server.report(body);
    expect(await waitingOf(server.sql, uuid)).toHaveLength(bodies.length + others.length);

    const person = personOf(server, teamId, email);
    const exported = await person('export');
    expect(exported.refused.map(({ body }: { body: string }) => body).sort()).toEqual(bodies.toSorted());
    expect(await person('erase')).toMatchObject({ refused: bodies.length });
    const left = (await waitingOf(server.sql, uuid)).map(({ orderId }) => orderId);
    expect(left.sort()).toEqual(others.map((_, n) => `o-${100 + n}`));
  },
);
