import { expect, it, onTestFinished } from 'vitest';
import { complaintOf, documentOf, runOrderbeacon } from '../kit/command.js';
import { createTestDatabase } from '../kit/database.js';
import { test } from '../kit/shop.js';
import { temporaryFolder } from '../kit/temporaryFolder.js';

/** A database that cannot be reached: commands are refused before they connect to it. */
const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

it.each([
  [['taem', 'list'], /unknown command 'taem' \(Did you mean team\?\)/],
  [['team', 'lst'], /unknown command 'lst' \(Did you mean list\?\)/],
  [['team', 'list', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
  [['team', 'list', '--json=3'], /unknown option '--json=3' \(Did you mean --json\?\)/],
  [['team', 'create'], /--name/],
  [['order', 'list', '--team'], /--team/],
  [
    ['order', 'list', '--team', 'team_x', '--reported-by', 'pag'],
    /Allowed choices are page, browser, key, both/,
  ],
  [['order', 'list', '--team', 'team_x', '--test', '--live'], /'--test' cannot be used with option '--live'/],
  [['order', 'list', '--team', 'team_x', '--team', 'team_y'], /'--team' is given twice, and takes one value/],
  [['hook', 'add', 'https://a.b', '--events=a', '--events', 'b'], /'--events' is given twice/],
  [
    ['team', 'edit', '--require-signature', '--no-require-signature'],
    /'--no-require-signature' cannot be used with option '--require-signature'/,
  ],
  [['domain', 'add', '--team', 'team_x'], /missing required argument 'domain'/],
  [['serve', 'now'], /too many arguments for 'serve'/],
  [['a\nb\u001b[2J'], /unknown command 'a b/],
  [[''], /unknown command ''/],
  [['__proto__'], /unknown command '__proto__'/],
  [['team', 'constructor'], /unknown command 'constructor'/],
  [['hook', 'test', '--team', 'team_x', 'hook_x'], /"hook test" was removed in 0\.4\.0: the page Webhooks/],
  [
    ['refused', 'replay', 'ref_x', '--amount=5'],
    /"refused replay --amount" was removed in 0\.4\.0: the page Refused/,
  ],
])('%j is refused with one line that names what may be meant', async (args, expected) => {
  expect(complaintOf(await runOrderbeacon(args, env))).toMatch(expected);
});

test('a team that is none is named, with the database that lacks it', async ({ server }) => {
  const line = complaintOf(await runOrderbeacon(['key', 'list', '--team', 'team_x'], server.env));
  expect(line).toMatch(/No team has the id "team_x" in the database of DATABASE_URL/);
});

it('the help of every subcommand has a sentence and an example, asked for in either way', async () => {
  const help = async (...args: string[]) => (await runOrderbeacon([...args, '--help'], {})).stdout;
  const names = (text: string) =>
    [...text.split('Commands:')[1]!.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1]!);
  for (const group of names(await help())) {
    if (group === 'help') continue;
    const text = await help(group);
    const leaves = text.includes('Commands:') ? names(text).filter((name) => name !== 'help') : [];
    const helps = leaves.length ? await Promise.all(leaves.map((leaf) => help(group, leaf))) : [text];
    const first = [group, ...leaves.slice(0, 1)];
    expect((await runOrderbeacon(['help', ...first], {})).stdout).toBe(helps[0]);
    for (const leaf of helps)
      expect(leaf).toMatch(
        /^Usage: orderbeacon [\s\S]+\n\n\S[\s\S]+\nExample:(\n {2}node_modules\/\.bin\/orderbeacon \S.*)+\n$/,
      );
  }
});

it('the command works without a server, on an embedded database that migrate makes and leaves behind', async () => {
  const env = { ORDERBEACON_DATA_DIR: temporaryFolder() };
  expect((await runOrderbeacon(['migrate'], env)).code).toBe(0);
  const made = documentOf(await runOrderbeacon(['team', 'create', '--name', 'Alone', '--json'], env));
  expect(documentOf(await runOrderbeacon(['team', 'list', '--json'], env))).toEqual([made]);
});

it('a database whose limit ends a statement gives one line that says how a command gets more time', async () => {
  const { sql, url, close } = await createTestDatabase();
  onTestFinished(() => close());
  await sql`do $$ begin
    execute format('alter database %I set statement_timeout = 1000', current_database()); end $$`;
  const list = (limit: string) => {
    const limited = new URL(url);
    limited.searchParams.set('statement_timeout', limit);
    return runOrderbeacon(['team', 'list'], { DATABASE_URL: limit ? limited.href : url });
  };
  const { patient } = await sql.begin(async (tx) => {
    await tx`lock table team in access exclusive mode`;
    const { code, stdout, stderr } = await list('');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^orderbeacon: .*Add \?statement_timeout=0 to DATABASE_URL .*\n$/);
    return { patient: list('0') };
  });
  expect((await patient).code).toBe(0);
});

test('a database that takes no writes, such as a standby, is not called away', async ({ server }) => {
  const url = new URL(server.env.DATABASE_URL!);
  url.searchParams.set('default_transaction_read_only', 'on');
  expect(await runOrderbeacon(['team', 'create', '--name', 'Shop'], { DATABASE_URL: url.href })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^orderbeacon: The database takes no writes; name the primary in DATABASE_URL: cannot execute .*\n$/,
    ),
  });
});

it('an unreachable database gives one line and exit 1', async () => {
  const { code, stdout, stderr } = await runOrderbeacon(['team', 'list'], env);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
