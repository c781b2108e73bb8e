import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Failure } from '@orderbeacon/sdk/contract';
import ts from 'typescript';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { readConfig, settingNames } from '../src/config.js';
import { parseProductFile } from '../src/products/parseProductFile.js';
import { findOddFields } from './calledFields.js';
import { complaintAbout } from './commandCall.js';
import type { ExampleBlock } from './documentation.js';
import { readCrontab, readDocument } from './examples.js';
import { simpleCommands, withoutSettings } from './shellLines.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Finds the faults of an example without running it. */
type ExampleCheck = (block: ExampleBlock) => string[] | Promise<string[]>;

/** Complaints of a reader that throws. */
function thrownBy(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [String((error as Error).message)];
  }
}

const isSetting = (name: string) => settingNames.includes(name);

/** Checks of a command line, by its program. A program that is not here fails. */
const programs: Record<string, (args: string[]) => string[] | Promise<string[]>> = {
  'node_modules/.bin/orderbeacon': async (args) => [await complaintAbout(args)].filter(Boolean),
  // documentedRequests.test.ts sends each one.
  curl: (args) => (args.some((word) => word.includes('$SERVER/')) ? [] : ['names no $SERVER']),
  npm([command, name]) {
    const { scripts } = JSON.parse(readDocument('package.json'));
    if (command === 'run') return name! in scripts ? [] : [`no script ${name}`];
    if (command === 'install')
      return /orderbeacon-(?:sdk|server)-\*\.tgz$/.test(name!) ? [] : [`no file ${name}`];
    return ['ci', 'start'].includes(command!) ? [] : [`no command of npm: ${command}`];
  },
  cp: ([file]) => (existsSync(join(root, inRepository(file!))) ? [] : [`no file ${file}`]),
  docker(args) {
    const file = args[args.indexOf('--file') + 1];
    if (args[0] === 'build') return existsSync(join(root, file!)) ? [] : [`no file ${file}`];
    const call = args.indexOf('node_modules/.bin/orderbeacon');
    return call === -1 ? [] : programs['node_modules/.bin/orderbeacon']!(args.slice(call + 1));
  },
  export: ([assignment]) => (isSetting(assignment!.split('=')[0]!) ? [] : [`no setting ${assignment}`]),
  systemctl: (args) => (existsSync(join(root, `server/${args.at(-1)}.service`)) ? [] : ['no such unit']),
  // Of the system, and named with no file of ours.
  cd: () => [],
  mkdir: () => [],
  install: () => [],
  chown: () => [],
  chmod: () => [],
  useradd: () => [],
  journalctl: () => [],
};

/** The place of an installed file in the repository. */
const inRepository = (path: string) => path.replace(/^.*node_modules\/@orderbeacon\//, '');

async function checkShell(code: string): Promise<string[]> {
  const syntax = thrownBy(() => execFileSync('sh', ['-n', '-c', code], { stdio: 'pipe' }));
  const lines = simpleCommands(code).map(async (words) => {
    const [program, ...args] = withoutSettings(words);
    const faults = await (programs[program!]?.(args) ?? [`no check for the program ${program}`]);
    return faults.map((fault) => `${words.join(' ')}: ${fault}`);
  });
  return [...syntax, ...(await Promise.all(lines)).flat()];
}

const failureSchema = z.strictObject({
  success: z.literal(false),
  error: z.strictObject({ code: z.string(), message: z.string(), docs: z.url() }),
  requestId: z.uuid(),
}) satisfies z.ZodType<Failure | { error: { code: string } }>;

/** Forms of JSON in the documentation: a file of products, and a refusal. */
function checkJson(code: string): string[] {
  const value = JSON.parse(code);
  if (Array.isArray(value))
    return (parseProductFile(value).issues ?? []).map(({ path, message }) => `${path} ${message}`);
  return failureSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}

/** Syntax of a script, and the fields that its calls of the SDK name. */
function checkScript(code: string, file: string): string[] {
  const { diagnostics } = ts.transpileModule(code, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, jsx: ts.JsxEmit.Preserve, allowJs: true },
  });
  const syntax = diagnostics!.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return [...syntax, ...findOddFields(code, file)];
}

const attributes = [
  'async',
  'src',
  'type',
  'id',
  'onload',
  'data-team-id',
  'data-endpoint',
  'data-global',
  'data-visitor',
  'data-debug',
];

/** Script elements of a page: their attributes, and their scripts. Shopify fills in what stands in `{{ … }}`. */
function checkHtml(code: string): string[] {
  const elements = [...code.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  return elements.flatMap(([, head, body]) => {
    const named = head!.replace(/"[^"]*"/g, '').match(/[\w-]+/g) ?? [];
    const unknown = named.filter((name) => !attributes.includes(name)).map((name) => `no attribute ${name}`);
    if (head!.includes('json')) return [...unknown, ...thrownBy(() => JSON.parse(body!))];
    return [...unknown, ...checkScript(body!.replace(/\{\{.*?\}\}/g, 'null'), 'page.js')];
  });
}

/** Checks by the kind of an example, as far as they go without running it. documentedSql.test.ts runs each statement. */
export const checkOf: Record<string, ExampleCheck> = {
  bash: ({ code }) => checkShell(code),
  cron: ({ code }) => checkShell(readCrontab(code).command),
  env: ({ code }) => {
    const lines = code
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s));
    const names = lines.flatMap(([name]) => (isSetting(name!) ? [] : [`no setting ${name}`]));
    return [...names, ...thrownBy(() => readConfig(Object.fromEntries(lines)))];
  },
  html: ({ code }) => checkHtml(code),
  json: ({ code }) => checkJson(code),
  js: ({ code }) => checkScript(code, 'example.mjs'),
  jsx: ({ code }) => checkScript(code, 'example.jsx'),
  ts: ({ code }) => checkScript(code, 'example.ts'),
  yaml: ({ code }) => thrownBy(() => parseYaml(code, { strict: true })),
  pg_hba: ({ code }) =>
    /^(?:hostssl|host) [\w,]+ [\w,]+ [\d.]+\/\d+ scram-sha-256\n$/.test(code) ? [] : ['is no line'],
  pgpass: ({ code }) =>
    code
      .trim()
      .split('\n')
      .filter((line) => line.split(':').length !== 5),
  mermaid: ({ code }) => {
    const nodes = new Set([...code.matchAll(/(\w+)(?:\[|\()/g)].map(([, node]) => node));
    const ends = [...code.matchAll(/^ +(\w+).*?-+> (?:\|.*\|)?(\w+)/gm)].flatMap(([, from, to]) => [
      from!,
      to!,
    ]);
    return ends.filter((end) => !nodes.has(end)).map((end) => `no node ${end}`);
  },
};

/** Kinds whose check is enough. An example of any other kind needs a test that runs it. */
export const checkedKinds = ['bash', 'cron', 'env', 'json', 'mermaid', 'pg_hba', 'pgpass', 'sql'];
