import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const run = (args: string[], input = '') => runOrderbeacon(args, server.env, input);

/** Texts that a spreadsheet would run. */
const formulas = [
  '=HYPERLINK("https://evil.example","Ann")',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  ' =1+1',
  '\t=1+1',
  '\n=1+1',
  '\uFF1D1+1',
  'Ann;=1+1',
  'Ann; "=1+1"',
  'Ann\t=1+1',
  'Ann,@SUM(A1)',
  'Ann|-1+1',
  'Ann\r\n+1+1',
  '"=1+1"',
  "'=1+1'",
  '\u200b=1+1',
  'Ann;\uFF0B1+1',
  'a";=1+1',
];

/** The cells that a program makes of a file with a separator, whether it knows quotes or not. */
const cellsBy = (separator: RegExp, csv: string) => csv.split('\n').flatMap((line) => line.split(separator));

it('no cell of an exported order or person begins with what a spreadsheet runs as a formula, whatever separates cells', async () => {
  const { teamId } = await server.addTeam('shop.example');
  for (const [at, text] of formulas.entries()) {
    const order = { teamId, email: `p${at}@buyer.example`, amount: 1, name: text, visitorId: text };
    expect((await server.report({ ...order, orderId: `id ${at}`, items: [{ name: text }] })).status).toBe(
      200,
    );
    expect(
      (await server.report({ ...order, email: `-${at}@buyer.example`, orderId: `${text}${at}` })).status,
    ).toBe(200);
  }
  for (const args of [
    ['order', 'export', '--team', teamId, '--format', 'csv'],
    ['order', 'export', '--team', teamId, '--format', 'csv', '--excel'],
    ['person', 'export', '--team', teamId, '--format', 'csv'],
  ]) {
    const { stdout } = await run(args);
    const rows: string[][] = parse(stdout, { bom: true });
    expect(rows).toHaveLength(formulas.length * 2 + 1);
    const cells = rows.flat().filter((cell) => !/^="(?:[^";,|\t\r\n]|"")*"$/.test(cell));
    expect(cells.filter((cell) => /^\s*[=+\-@\uFF1D]/.test(cell))).toEqual([]);
    const plain = stdout.replace(/"=""(?:[^";,|\t\r\n]|"""")*"""|="[^";,|\t\r\n]*"/g, '');
    for (const separator of [/;/, /\t/, /[;,\t|\r]/]) {
      const split = cellsBy(separator, plain).map((cell) => cell.replace(/^[\s\p{C}"]+/u, ''));
      expect(split.filter((cell) => /^[=+\-@\uFF1D\uFF0B]/.test(cell))).toEqual([]);
    }
    expect(cells.filter((cell) => cell === `'${formulas[0]}`).length).toBeGreaterThan(0);
  }
});

it('names and items of an export are read back as they were', async () => {
  const { teamId } = await server.addTeam('shop.example');
  const names = formulas.map((text) => `${text}.`.trim());
  const items = formulas.map((text) => ({ name: text, [text]: -1 }));
  for (const [at, name] of names.entries()) {
    const { status } = await server.report({ teamId, email: `+${at}@buyer.example`, amount: 1, name, items });
    expect(status).toBe(200);
  }
  const listed = async (team: string) =>
    JSON.parse((await run(['person', 'list', '--team', team, '--json'])).stdout).map(
      ({ email, name }: { email: string; name: string }) => [email, name.replaceAll('\r\n', '\n')],
    );
  const other = await server.addTeam();
  const { stdout } = await run(['person', 'export', '--team', teamId, '--format', 'csv']);
  expect((await run(['person', 'import', '--team', other.teamId, '-'], stdout)).code).toBe(0);
  expect(await listed(other.teamId)).toEqual(await listed(teamId));
  const orders = await run(['order', 'export', '--team', teamId, '--format', 'csv']);
  const rows: Record<string, string>[] = parse(orders.stdout, { columns: true });
  expect(rows.map((row) => JSON.parse(row.items!))).toEqual(formulas.map(() => items));
});

describe('--excel', () => {
  it('marks orders as UTF-8, and keeps 007 as a text that Excel cannot take for 7', async () => {
    const { teamId } = await server.addTeam('shop.example');
    const order = { teamId, email: 'zoe@buyer.example', amount: 7.5, name: 'Zoë', visitorId: '1e5' };
    await server.report({ ...order, orderId: '007' });
    await server.report({ ...order, orderId: '12345678901234567' });
    await server.report({ ...order, reportId: 'a"b' });
    const args = ['order', 'export', '--team', teamId, '--format', 'csv'];
    const plain: Record<string, string>[] = parse((await run(args)).stdout, { columns: true });
    expect(plain[2]).toMatchObject({ orderId: '007', visitorId: '1e5', amount: '7.5', isTest: 'false' });
    const { stdout } = await run([...args, '--excel']);
    expect(stdout.slice(0, 4)).toBe('\uFEFFid,');
    expect(parse(stdout, { columns: true, bom: true })).toEqual([
      expect.objectContaining({ orderId: '', reportId: '="a""b"' }),
      expect.objectContaining({ orderId: '="12345678901234567"', name: 'Zoë' }),
      { ...plain[2], orderId: '="007"', visitorId: '="1e5"' },
    ]);
  });

  it('marks people as UTF-8', async () => {
    const { teamId } = await server.addTeam();
    await run(['person', 'import', '--team', teamId, '-'], 'email,name\nzoe@buyer.example,Zoë\n');
    const { stdout } = await run(['person', 'export', '--team', teamId, '--format', 'csv', '--excel']);
    expect(stdout).toMatch(/^\uFEFFid,email,name,createdAt\nppl_\w+,zoe@buyer\.example,Zoë,\d{4}-.*Z\n$/);
  });

  it('goes with CSV alone', async () => {
    const { teamId } = await server.addTeam();
    const args = ['export', '--team', teamId, '--format', 'ndjson', '--excel'];
    for (const resource of ['order', 'person']) {
      const { code, stderr } = await run([resource, ...args]);
      expect([code, stderr]).toEqual([2, 'orderbeacon: --excel needs --format csv.\n']);
    }
  });
});

describe('person export', () => {
  it('writes all people as NDJSON and as CSV that person import takes', async () => {
    const { teamId } = await server.addTeam();
    const csv = 'email,name\nann@buyer.example,"Ann, A."\nbob@buyer.example,\n';
    await run(['person', 'import', '--team', teamId, '-'], csv);
    const args = ['person', 'export', '--team', teamId, '--format'];
    const lines = (await run([...args, 'ndjson'])).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: expect.stringMatching(/^ppl_/), email: 'ann@buyer.example', name: 'Ann, A.' },
      { email: 'bob@buyer.example', name: null, createdAt: expect.stringMatching(/Z$/) },
    ]);
    const other = await server.addTeam();
    const { stdout } = await run([...args, 'csv']);
    const imported = await run(['person', 'import', '--team', other.teamId, '-', '--json'], stdout);
    expect(JSON.parse(imported.stdout)).toEqual({ imported: 2, rows: 2 });
    const listed = await run(['person', 'list', '--team', other.teamId, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'Ann, A.' }, { name: null }]);
  });

  it('asks for one person or a format, not both and not neither', async () => {
    const { teamId } = await server.addTeam();
    for (const options of [[], ['--email', 'ann@buyer.example', '--format', 'csv']]) {
      const { code, stderr } = await run(['person', 'export', '--team', teamId, ...options]);
      expect([code, stderr]).toEqual([
        2,
        'orderbeacon: Give --email for one person, or --format for all people.\n',
      ]);
    }
  });
});

it('200,000 people are listed, as a table and as one JSON document, and exported', async () => {
  const { uuid, teamId } = await server.addTeam();
  await server.sql`
    insert into person (team_id, id, email, name)
    select ${uuid}, gen_random_uuid(), 'p' || lpad(n::text, 6, '0') || '@buyer.example', 'Person ' || n
    from generate_series(1, 200000) n`;
  const { code, stdout } = await run(['person', 'list', '--team', teamId, '--json']);
  const people = JSON.parse(stdout);
  expect([code, people.length, people[0].name, people.at(-1).email]).toEqual([
    0,
    200_000,
    'Person 1',
    'p200000@buyer.example',
  ]);
  const lines = (await run(['person', 'list', '--team', teamId])).stdout.trim().split('\n');
  expect(lines).toHaveLength(200_001);
  expect(lines[0]).toMatch(/^ID {30}EMAIL {18}NAME$/);
  expect(lines[200_000]).toMatch(/^ppl_\w{26} {2}p200000@buyer\.example {2}Person 200000$/);
  const csv = (await run(['person', 'export', '--team', teamId, '--format', 'csv'])).stdout;
  expect(csv.trim().split('\n')).toHaveLength(200_001);
});

it('an empty team lists no people', async () => {
  const { teamId } = await server.addTeam();
  expect((await run(['person', 'list', '--team', teamId])).stdout).toBe('None.\n');
  expect((await run(['person', 'list', '--team', teamId, '--json'])).stdout).toBe('[]\n');
});

it('an import takes all rows of a file whose head line ends in another way than they do', async () => {
  const { teamId } = await server.addTeam();
  const csv = 'email,name\r\nann@buyer.example,Ann\nbob@buyer.example,Bob\rcy@buyer.example,Cy\r\n';
  const { stdout } = await run(['person', 'import', '--team', teamId, '-', '--json'], csv);
  expect(JSON.parse(stdout)).toEqual({ imported: 3, rows: 3 });
});

it.each([
  ['semicolons', 'EMAIL;Name\nann@buyer.example;Ann\n'],
  ['semicolons', '\uFEFF"Email";"Name"\r\n"ann@buyer.example";"Ann"\r\n'],
  ['tabs', 'name\temail\nAnn\tann@buyer.example\n'],
])('an import of columns that are separated by %s names them', async (name, csv) => {
  const { teamId } = await server.addTeam();
  const { code, stderr } = await run(['person', 'import', '--team', teamId, '-'], csv);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`separates its columns by ${name}`)]);
});
