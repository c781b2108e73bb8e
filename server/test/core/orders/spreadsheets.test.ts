import { parse } from 'csv-parse/sync';
import { describe, expect } from 'vitest';
import { runOrderbeacon } from '../../kit/command.js';
import { type Shop, test } from '../../kit/shop.js';

/** Runs a command on the team of a shop. */
const run = (shop: Shop, command: string, input = '') =>
  runOrderbeacon([...command.split(' '), '--team', shop.teamId], shop.server.env, input);

const outputOf = async (shop: Shop, command: string, input = '') => (await run(shop, command, input)).stdout;

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

/** Divides a file into cells as a program with this separator does that knows no quotes. */
const cellsBy = (separator: RegExp, csv: string) => csv.split('\n').flatMap((line) => line.split(separator));

test('no cell of an exported order begins with what a spreadsheet runs as a formula, whatever separates cells', async ({
  shop,
}) => {
  for (const [at, text] of formulas.entries()) {
    const named = { email: `p${at}@buyer.example`, name: text, visitorId: text, items: [{ name: text }] };
    expect((await shop.report({ ...named, orderId: `id ${at}` })).status).toBe(200);
    const other = { email: `-${at}@buyer.example`, orderId: `${text}${at}` };
    expect((await shop.report(other)).status).toBe(200);
  }
  for (const command of ['order export --format csv', 'order export --format csv --excel']) {
    const stdout = await outputOf(shop, command);
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

test('items of an export are read back as they were', async ({ shop }) => {
  const items = formulas.map((text) => ({ name: text, [text]: -1 }));
  for (const _ of formulas) expect((await shop.report({ items })).status).toBe(200);
  const orders = await outputOf(shop, 'order export --format csv');
  const rows: Record<string, string>[] = parse(orders, { columns: true });
  expect(rows.map((row) => JSON.parse(row.items!))).toEqual(formulas.map(() => items));
});

describe('--excel', () => {
  test('marks orders as UTF-8, and keeps 007 as a text that Excel cannot take for 7', async ({ shop }) => {
    const order = { amount: 7.5, name: 'Zoë', visitorId: '1e5' };
    await shop.report({ ...order, orderId: '007' });
    await shop.report({ ...order, orderId: '12345678901234567' });
    await shop.report({ ...order, orderId: undefined, reportId: 'a"b' });
    const csv = await outputOf(shop, 'order export --format csv');
    const plain: Record<string, string>[] = parse(csv, { columns: true });
    expect(plain[2]).toMatchObject({ orderId: '007', visitorId: '1e5', amount: '7.5', isTest: 'false' });
    const stdout = await outputOf(shop, 'order export --format csv --excel');
    expect(stdout.slice(0, 4)).toBe('\uFEFFid,');
    expect(parse(stdout, { columns: true, bom: true })).toEqual([
      expect.objectContaining({ orderId: '', reportId: '="a""b"' }),
      expect.objectContaining({ orderId: '="12345678901234567"', name: 'Zoë' }),
      { ...plain[2], orderId: '="007"', visitorId: '="1e5"' },
    ]);
  });

  test('goes with CSV alone', async ({ shop }) => {
    const { code, stderr } = await run(shop, 'order export --format ndjson --excel');
    expect([code, stderr]).toEqual([2, 'orderbeacon: --excel needs --format csv.\n']);
  });
});

/** Adds people to a team. */
async function listPeople(shop: Shop, count: number) {
  await shop.sql`
    insert into person (team_id, id, email, name)
    select ${shop.team}, gen_random_uuid(), 'p' || lpad(n::text, 6, '0') || '@buyer.example', 'Person ' || n
    from generate_series(1, ${count}::int) n`;
  const people = JSON.parse(await outputOf(shop, 'person list --json'));
  expect([people.length, people[0].name, people.at(-1).name]).toEqual([count, 'Person 1', `Person ${count}`]);
  const lines = (await outputOf(shop, 'person list')).trim().split('\n');
  expect(lines).toHaveLength(count + 1);
  expect(lines[0]).toMatch(/^ID {30}EMAIL {18}NAME$/);
  const last = `p${String(count).padStart(6, '0')}@buyer.example  Person ${count}`;
  expect(lines[count]).toMatch(new RegExp(`^ppl_\\w{26}  ${last}$`));
}

test('5,000 people are listed, as a table and as one JSON document', ({ shop }) => listPeople(shop, 5_000));

test('200,000 people are listed', { tags: ['long'] }, ({ shop }) => listPeople(shop, 200_000));

test('an empty team lists no people', async ({ shop }) => {
  expect(await outputOf(shop, 'person list')).toBe('None.\n');
  expect(await outputOf(shop, 'person list --json')).toBe('[]\n');
});

test('an import takes all rows of a file whose head line ends in another way than they do', async ({
  shop,
}) => {
  const csv = 'email,name\r\nann@buyer.example,Ann\nbob@buyer.example,Bob\rcy@buyer.example,Cy\r\n';
  expect(JSON.parse(await outputOf(shop, 'person import - --json', csv))).toMatchObject({
    imported: 3,
    rows: 3,
  });
});

test.for([
  ['semicolons', 'EMAIL;Name\nann@buyer.example;Ann\n'],
  ['semicolons, after a byte order mark', '\uFEFF"Email";"Name"\r\n"ann@buyer.example";"Ann"\r\n'],
  ['tabs', 'name\temail\nAnn\tann@buyer.example\n'],
] as const)('an import reads columns that are separated by %s', async ([, csv], { shop }) => {
  expect(await outputOf(shop, 'person import -', csv)).toContain('1');
  const listed = JSON.parse(await outputOf(shop, 'person list --json'));
  expect(listed).toMatchObject([{ email: 'ann@buyer.example', name: 'Ann' }]);
});
