import { createClient } from '@orderbeacon/sdk/client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { removed } from '../../../src/app/removed.js';
import { readConfig, settingNames } from '../../../src/config.js';
import { connectionsOf } from '../../../src/database/pools.js';
import { parseProductFile } from '../../../src/features/catalog/parseProductFile.js';
import { ApiError, toFailure } from '../../../src/values/errors.js';
import { runOrderbeacon } from '../../kit/command.js';
import { blocks, documents, type ExampleBlock, filesBelow, withoutBlocks } from '../../kit/documentation.js';
import { exampleOf, readCrontab, readDocument } from '../../kit/examples.js';
import { test } from '../../kit/shop.js';
import { complaintAbout, unknownWords } from './commandCall.js';
import { simpleCommands, wordsOf } from './shellLines.js';

/** Reads the arguments of calls of the command. A call may follow settings, or be in a container's or a crontab's line. */
function callsIn({ kind, code }: ExampleBlock): string[][] {
  if (kind !== 'bash' && kind !== 'cron') return [];
  return simpleCommands(kind === 'cron' ? readCrontab(code).command : code).flatMap((words) => {
    const at = words.indexOf('node_modules/.bin/orderbeacon');
    return at === -1 ? [] : [words.slice(at + 1)];
  });
}

describe('in the examples of the documentation', () => {
  it('each call of the command is one that its parser takes', async () => {
    const calls = blocks.flatMap((block) => callsIn(block).map((args) => [block.path, args] as const));
    expect(calls.length).toBeGreaterThan(40);
    for (const [path, args] of calls)
      expect([path, args, await complaintAbout(args)]).toEqual([path, args, '']);
    expect(await complaintAbout(['order', 'list', '--team', 'T', '--tset'])).toContain(
      "unknown option '--tset'",
    );
  });

  it('settings are those of the server, products can be imported, and a configuration is YAML', () => {
    const ofKind = (wanted: string) => blocks.filter(({ kind }) => kind === wanted).map(({ code }) => code);
    for (const code of ofKind('env')) {
      const env = Object.fromEntries(
        code
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s)),
      );
      expect(settingNames).toEqual(expect.arrayContaining(Object.keys(env)));
      readConfig(env);
    }
    const products = JSON.parse(exampleOf('server/guides/products.md', 'products'));
    expect(parseProductFile(products).issues ?? []).toEqual([]);
    for (const code of ofKind('yaml')) parse(code, { strict: true });
  });

  it('whatever is code is run by a test, which names it', () => {
    const tests = ['server/test', 'sdk/test', 'e2e/specs', 'e2e/harness']
      .flatMap((folder) => filesBelow(folder, '.ts'))
      .map(readDocument)
      .join('\n');
    const code = blocks.filter(({ kind }) =>
      ['js', 'jsx', 'ts', 'html', 'php', 'python', 'liquid'].includes(kind),
    );
    expect(code.length).toBeGreaterThan(30);
    const isNamed = ({ name }: ExampleBlock) => name !== undefined && tests.includes(`'${name}'`);
    expect(code.filter((block) => !isNamed(block))).toEqual([]);
  });
});

describe('in the text of the documentation', () => {
  const texts = documents.map((path) => [path, withoutBlocks(readDocument(path))] as const);
  const upgrading = 'server/guides/upgrading.md';

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
    const isGone = (path: string, call: string) => path === upgrading && call in removed;
    expect(unknown.filter(([path, call, words]) => words.length > 0 && !isGone(path, call))).toEqual([]);
  });

  it('each command that is gone stands in the guide of upgrading', () => {
    const commands = Object.keys(removed).filter((call) => !call.includes(' --'));
    const guide = readDocument(upgrading);
    expect(commands.filter((call) => !guide.includes(`\`${call}\``))).toEqual([]);
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

it('the refusal in the guide of error codes is what the server answers', () => {
  const shown = JSON.parse(exampleOf('server/guides/errors.md', 'refusal'));
  const refusal = toFailure(
    new ApiError('domain_not_allowed'),
    shown.requestId,
    'https://orders.shop.example/docs',
  );
  expect(shown).toEqual(refusal);
});

it('the database URL of a primary and a standby is one that the server takes', () => {
  const [, url] = exampleOf('server/guides/several-servers.md', 'hosts').split(/=(.*)/s) as [string, string];
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

it('the guides name the connections that a server opens', () => {
  const opened = Object.values(connectionsOf).reduce((sum, connections) => sum + connections);
  for (const guide of ['database-settings', 'settings', 'several-servers'])
    expect(readDocument(`server/guides/${guide}.md`)).toMatch(RegExp(`opens (?:up to|at most) ${opened}\\b`));
});

it('the pieces of HTML in the README are those of the SDK’s guide', () => {
  const both = (readme: string, sdk: string) => [
    exampleOf('README.md', readme),
    exampleOf('sdk/guides/tag.md', sdk),
  ];
  const [tag, same] = both('every-page', 'every-page');
  expect(tag).toBe(same);
  const [order, confirmation] = both('order', 'confirmation');
  const callOf = (html: string) => html.split('\n').find((line) => line.startsWith('track('));
  expect(callOf(order!)).toBe(callOf(confirmation!));
});

it('each example that reports an order names its currency', () => {
  const examples = [
    ['README.md', 'order'],
    ['sdk/guides/package.md', 'npm'],
    ['sdk/guides/backends.md', 'client'],
    ['server/guides/integrating.md', 'order'],
  ] as const;
  for (const [path, name] of examples) expect(exampleOf(path, name)).toContain('currency');
});

test('the client’s example reports, refunds and reads an order', async ({ shop, server }) => {
  const code = exampleOf('sdk/guides/backends.md', 'client')
    .replace(/^import .*$/m, '')
    .replace('https://orders.shop.example', server.url)
    .replace('team_…', shop.teamId);
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...values: unknown[]) => Promise<unknown>;
  const run = new AsyncFunction(
    'createClient',
    'process',
    `${code}\nreturn [refundedAmount, paymentStatus];`,
  );
  const result = await run(createClient, { env: { ORDERBEACON_API_KEY: await shop.liveKey() } });
  expect(result).toEqual([9.9, 'PARTIALLY_REFUNDED']);
});
