import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../src/app/program.js';
import { command as path } from '../../src/values/command.js';
import { runOrderbeacon } from '../kit/command.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const program = createProgram(process);
const top = program.commands.map((each) => each.name()).join('|');

/** Files with texts for people: messages, pages, guides, recipes. */
const files = [
  ...['server/src', 'server/guides', 'sdk/guides', 'sdk/recipes'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
  ...['sdk/src/debug.ts', 'README.md', 'sdk/README.md', 'server/README.md'],
].filter((file) => /\.(?:tsx?|js|php|md)$/.test(file));

/** Matches a call in a text, from its path on. In the code the path is a constant. */
const calls = RegExp(
  `(?:\\$?\\{(?:command|path)\\}|${path.replaceAll('.', '\\.')}) ((?:${top})\\b[^\`'"<\\n\\\\();]*)`,
  'g',
);
/** Matches a call without the path, which no shell finds. */
const bare = RegExp(`(?<![\\w/.-])orderbeacon (?:${top})\\b`);

/** Names the fault of a call: a command or option that does not exist, or a missing one; undefined if it has none. */
function faultOf(call: string): string | undefined {
  let command: Command = program;
  const words = call.split(/[\s:,.]+/);
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
  // A text may name only a resource, such as `team`. With options, it runs its subcommand or the default one.
  if (command.commands.length > 0 && words.length > 1) {
    const usual = Reflect.get(command, '_defaultCommandName');
    const next = command.commands.find((each) => each.name() === usual);
    if (!next || !words[1]!.startsWith('--')) return `no such command: ${call}`;
    command = next;
  }
  const given: string[] = call.match(/(?<=\s)--[a-z-]+/g) ?? [];
  const known = ['--help', '--version', ...command.options.map(({ long }) => long)];
  const unknown = given.find((each) => !known.includes(each));
  if (unknown) return `no such option: ${call}`;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !given.includes(long!));
  return missing && `${missing.long} is missing: ${call}`;
}

it('every call that a message, a page or a guide names is one that the command takes', () => {
  const found = files.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(calls)].map(([, call]) => ({ file, call: call! })),
  );
  expect(found.length).toBeGreaterThan(60);
  expect(found.flatMap(({ file, call }) => (faultOf(call) ? [`${file}: ${faultOf(call)}`] : []))).toEqual([]);
});

it('every call of a message or a page has the path, without which no shell finds the command', () => {
  const lines = files
    .filter((file) => file !== 'README.md')
    .flatMap((file) =>
      readFileSync(root + file, 'utf8')
        .split('\n')
        .map((line) => `${file}: ${line.trim()}`),
    )
    .filter((line) => bare.test(line) && !/: (?:\/\*\*|\*|\/\/)/.test(line));
  expect(lines).toEqual([]);
});

it('every example of --help is a call that the command takes', async () => {
  const leaves = (command: Command, names: string[] = []): string[][] =>
    command.commands.length === 0
      ? [names]
      : command.commands.flatMap((each) => leaves(each, [...names, each.name()]));
  for (const names of leaves(program)) {
    const { stdout } = await runOrderbeacon([...names, '--help'], {});
    const examples = [...stdout.split('Example:')[1]!.matchAll(calls)].map(([, call]) => call!);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.map(faultOf).filter(Boolean)).toEqual([]);
  }
});
