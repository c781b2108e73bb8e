import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient } from '@orderbeacon/sdk/client';
import { describe, expect, it } from 'vitest';
import { readConfig, settingNames } from '../src/config.js';
import { ApiError, toFailure } from '../src/values/errors.js';
import { runOrderbeacon } from './command.js';
import { complaintAbout, unknownWords } from './commandCall.js';
import {
  blocks,
  blocksOf,
  documents,
  type ExampleBlock,
  filesBelow,
  withoutBlocks,
} from './documentation.js';
import { checkedKinds, checkOf } from './exampleChecks.js';
import { exampleOf, readDocument } from './examples.js';
import { startServerForTest } from './server.js';
import { simpleCommands, wordsOf } from './shellLines.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The texts of the tests that read examples. */
const readers = ['server/test', 'sdk/test', 'e2e/specs', 'e2e/harness']
  .flatMap((folder) => filesBelow(folder, '.ts'))
  .filter((path) => !path.endsWith('documentedExamples.test.ts'))
  .map((path) => readFileSync(`${root}/${path}`, 'utf8'))
  .filter((text) => /xample(?:Of)?\(/.test(text));
const own = readFileSync(import.meta.filename, 'utf8');

/** True if a test reads the example: it names the document, or a recipe by its bare name, and the example. */
function isRead({ path, name }: ExampleBlock): boolean {
  if (name === undefined) return false;
  const [, recipe] = /recipes\/(.+)\.md$/.exec(path) ?? [];
  const isNamed = (text: string) =>
    text.includes(path) ||
    (recipe && text.includes(`'${recipe}'`)) ||
    (path === 'README.md' && text.includes('readmeExample('));
  // A test may take several by their common beginning.
  const quoted = new RegExp(`'${name}'|\`${name.replace(/-[^-]+$/, '')}-[$][{]`);
  return [...readers, own].some((text) => isNamed(text) && quoted.test(text));
}

/** Faults of an example: those that its kind's check finds, and that nothing checks it. */
async function faultsOf(block: ExampleBlock): Promise<string[]> {
  const check = checkOf[block.kind];
  const found = (await check?.(block)) ?? [];
  const isCovered = checkedKinds.includes(block.kind) || isRead(block);
  return isCovered ? found : [...found, `no test runs this example of the kind “${block.kind}”`];
}

describe('an example of the documentation', () => {
  it('is of a kind that is checked, or a test runs it', async () => {
    expect(documents.length).toBeGreaterThan(60);
    expect(blocks.length).toBeGreaterThan(80);
    const faults = await Promise.all(
      blocks.map(async (block) => [block.path, block.code, await faultsOf(block)] as const),
    );
    expect(faults.filter(([, , found]) => found.length > 0)).toEqual([]);
  });

  it.each<[kind: string, code: string, fault: string]>([
    ['bash', 'node_modules/.bin/orderbeacon order lst --team T', "unknown command 'lst'"],
    ['bash', 'node_modules/.bin/orderbeacon order list', "required option '--team <id>'"],
    ['bash', 'node_modules/.bin/orderbeacon order list --team T --tset', "unknown option '--tset'"],
    ['bash', 'A=1 wget https://orders.shop.example', 'no check for the program wget'],
    ['bash', 'npm run pack:al', 'no script pack:al'],
    ['bash', 'cp node_modules/@orderbeacon/server/none.service /etc', 'no file'],
    ['bash', 'export ORDERBEACON_ENV=/etc/orderbeacon.env', 'no setting'],
    ['bash', 'curl "https://orders.shop.example"', 'names no $SERVER'],
    ['bash', 'docker run image node_modules/.bin/orderbeacon tesing', "unknown command 'tesing'"],
    ['bash', "echo 'open", 'sh: '],
    ['cron', '0 3 * * orderbeacon true', 'is no line of a crontab'],
    ['cron', '0 3 * * * orderbeacon node_modules/.bin/orderbeacon backp x', "unknown command 'backp'"],
    ['env', 'ORDERBEACON_RATE=1', 'no setting ORDERBEACON_RATE'],
    ['env', 'PORT=many', 'PORT'],
    ['json', '[{ "title": "Tea", "slug": "tea", "type": "TEA", "price": 1 }]', '0.type'],
    ['json', '{ "success": false, "error": { "code": "x" } }', 'expected string'],
    ['js', "track('order', { email, amount, orderID: '1' })", 'takes no orderID'],
    ['js', "createTracker({ team: 'team_…' })", 'takes no team'],
    ['js', 'const const = 1', 'no test runs'],
    ['html', '<script src="/track.js" data-team="team_…"></script>', 'no attribute data-team'],
    ['html', "<script>track('order', { mail: '' })</script>", 'takes no mail'],
    ['yaml', 'a: b: c', 'Nested mappings'],
    ['mermaid', 'flowchart LR\n  a["A"] --> b\n', 'no node b'],
    ['pg_hba', 'host all all trust\n', 'is no line'],
    ['pgpass', '*:5432:password', '*:5432:password'],
    ['ruby', 'puts 1', 'no test runs this example of the kind “ruby”'],
    ['', 'anything', 'no test runs'],
  ])('of the kind %s with a mistake is found: %s', async (kind, code, fault) => {
    const [block] = blocksOf('server/guides/none.md', `\`\`\`${kind}\n${code}\n\`\`\`\n`);
    const faults = await faultsOf(block!).catch((error) => [String(error.message)]);
    expect(faults.join('\n')).toContain(fault);
  });
});

describe('in the text of the documentation', () => {
  const texts = documents.map((path) => [path, withoutBlocks(readDocument(path))] as const);

  it('each call of the command has words that the command knows', async () => {
    const { stdout } = await runOrderbeacon(['--help'], {});
    const [, listed] = stdout.split('\nCommands:\n');
    const commands = [...listed!.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name!);
    const spans = texts.flatMap(([path, text]) =>
      [...text.matchAll(/`(?:node_modules\/\.bin\/)?(orderbeacon )?([a-z][^`\n]*)`/g)]
        .map(([, program, call]) => [path, program, wordsOf(call!)] as const)
        .filter(([, program, [first, second]]) => program || (commands.includes(first!) && second)),
    );
    expect(spans.length).toBeGreaterThan(80);
    const unknown = spans.map(([path, , words]) => [path, words.join(' '), unknownWords(words)] as const);
    expect(unknown.filter(([, , words]) => words.length > 0)).toEqual([]);
    expect(unknownWords(['hook', 'resend', '--failing'])).toEqual(['--failing']);
    expect(unknownWords(['hook', 'retry'])).toEqual(['retry']);
  });

  it('each setting is one that the server or the tests read', () => {
    const known = new Set<string>([...settingNames, 'ORDERBEACON_TEST_DATABASE_URL']);
    const named = texts.flatMap(([path, text]) =>
      [...text.matchAll(/\bORDERBEACON_[A-Z_]+\b/g)].map(([name]) => [path, name] as const),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(([, name]) => !known.has(name))).toEqual([]);
  });
});

it('the command’s parser takes a call that is right', async () => {
  for (const words of simpleCommands('node_modules/.bin/orderbeacon order list --team "T" # all'))
    expect(await complaintAbout(words.slice(1))).toBe('');
});

it('the refusal in the guide of error codes is what the server answers', () => {
  const shown = JSON.parse(exampleOf('server/guides/errors.md', 'refusal'));
  const refusal = toFailure(
    new ApiError('domain_not_allowed'),
    shown.requestId,
    'https://orders.shop.example',
  );
  expect(shown).toEqual(refusal);
});

it('the database URL of a primary and a standby is one that the server takes', () => {
  const [, url] = exampleOf('server/guides/several-servers.md', 'hosts').split(/=(.*)/s) as [string, string];
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

it('the pieces of HTML in the SDK’s guide are those of the README', () => {
  const both = (name: string) => ['README.md', 'sdk/guides/tag.md'].map((path) => exampleOf(path, name));
  const [readme, sdk] = both('every-page');
  expect(sdk).toBe(readme);
  const [long, short] = both('confirmation');
  expect(short).toBe(long!.replace(", currency: 'USD'", ''));
});

it('the client’s example reports, refunds and reads an order', async () => {
  const server = await startServerForTest();
  const team = await server.addTeam();
  const key = await server.addKey(team.uuid);
  const code = exampleOf('sdk/guides/backends.md', 'client')
    .replace(/^import .*$/m, '')
    .replace('https://orders.shop.example', server.url)
    .replace('team_…', team.teamId);
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...values: unknown[]) => Promise<unknown>;
  const run = new AsyncFunction(
    'createClient',
    'process',
    `${code}\nreturn [refundedAmount, paymentStatus];`,
  );
  const result = await run(createClient, { env: { ORDERBEACON_API_KEY: key } });
  expect(result).toEqual([9.9, 'PARTIALLY_REFUNDED']);
});
