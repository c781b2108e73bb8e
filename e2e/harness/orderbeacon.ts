import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Touch } from '@orderbeacon/sdk/contract';

const builtHere = fileURLToPath(new URL('../../server/bin/orderbeacon.js', import.meta.url));

/** Lets a server end with the process that started it, which a run that is broken off does not end in order. */
const endWithStarter =
  'data:text/javascript,process.stdin.once("end",()=>process.kill(process.pid,"SIGTERM")).resume().unref()';

/** A stored order, with the fields that specs read. */
export interface ListedOrder {
  id: string;
  orderNumber: string;
  orderId: string | null;
  reportId: string | null;
  email: string;
  name: string | null;
  amount: number;
  currency: string;
  source: string;
  items: unknown[] | null;
  visitorId: string | null;
  firstTouch: Partial<Touch> | null;
  lastTouch: Partial<Touch> | null;
  reportedBy: string;
  isTest: boolean;
  createdAt: string;
}

/** The product as an operator has it: the running server, and the command beside it. */
export interface Orderbeacon {
  url: string;
  /** The output of the server at its start. */
  output: string;
  /** Runs a subcommand with `--json` and resolves with the document it printed. */
  command<T>(...args: string[]): Promise<T>;
  /** Imports products as `product import` reads them from stdin. */
  importProducts(teamId: string, products: object[]): Promise<void>;
  /** The team's stored orders. */
  orders(teamId: string): Promise<ListedOrder[]>;
}

/** The values that another process needs to use a running server. Plain JSON. */
export interface RunningOrderbeacon {
  url: string;
  output: string;
  /** The `orderbeacon` command that started it. */
  executable: string;
  /** The settings of the server, for the command beside it. */
  env: Record<string, string>;
  /** URL of a `startCommandRunner()`; without it each command is a process. */
  commandRunner?: string;
}

/** A server that only the caller uses. */
export interface OwnOrderbeacon extends Orderbeacon {
  running: RunningOrderbeacon;
  close(): Promise<void>;
}

/**
 * Starts the built server on an embedded database in a new folder, on a free port.
 * @param executable the `orderbeacon` command; default: the one that was built here
 */
export async function startOrderbeacon(
  more: Record<string, string> = {},
  executable = builtHere,
): Promise<OwnOrderbeacon> {
  const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-e2e-'));
  // As root PostgreSQL runs as another user, who has to come in; else its data would lie elsewhere and stay.
  await chmod(folder, 0o755);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    ORDERBEACON_DATA_DIR: folder,
    ORDERBEACON_RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    PORT: '0',
    ...more,
  };
  const server = run(executable, ['serve'], env, ['--import', endWithStarter]);
  const serverEnded = once(server, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // The pinned tag, or that there is none, is the last thing that it prints.
      if (/crossorigin="anonymous"><\/script>\n|released versions\.\n/.test(output)) resolve();
    });
    let complaint = '';
    server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    // Not at its exit: its last words may come after that.
    server.once('close', () => reject(new Error(`The server ended: ${complaint}`)));
  });

  const running = { url: /listens on (\S+)/.exec(output)![1]!, output, executable, env };
  return {
    ...attach(running),
    running,
    async close() {
      server.kill('SIGTERM');
      await serverEnded;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The product through a server that runs already, perhaps started by another process. */
export function attach({ url, output, executable, env, commandRunner }: RunningOrderbeacon): Orderbeacon {
  const command = <T>(...args: string[]) => commandWith<T>('', args);

  async function commandWith<T>(input: string, args: string[]): Promise<T> {
    const { code, out, err } = commandRunner
      ? await runIn(commandRunner, [...args, '--json'], env, input)
      : await runToEnd(executable, [...args, '--json'], env, input);
    if (code !== 0) throw new Error(`orderbeacon ${args.join(' ')}: ${err}`);
    return JSON.parse(out) as T;
  }

  return {
    url,
    output,
    command,
    importProducts: (teamId, products) =>
      commandWith(JSON.stringify(products), ['product', 'import', '--team', teamId, '-']),
    orders: (teamId) => command<ListedOrder[]>('order', 'list', '--team', teamId),
  };
}

/** Output and exit code of a command. */
interface EndedCommand {
  code: number | null;
  out: string;
  err: string;
}

/** Starts a process that runs commands of the built server one after the other, which saves a process for each. */
export async function startCommandRunner(): Promise<{ url: string; close(): void }> {
  const script = fileURLToPath(new URL('commands.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process for commands ended with ${code}.`);
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  return { url: String(line).trim(), close: () => void child.stdin.end() };
}

async function runIn(commandRunner: string, args: string[], env: Record<string, string>, input: string) {
  const response = await fetch(commandRunner, { method: 'POST', body: JSON.stringify({ args, env, input }) });
  return (await response.json()) as EndedCommand;
}

async function runToEnd(
  executable: string,
  args: string[],
  env: Record<string, string>,
  input: string,
): Promise<EndedCommand> {
  const child = run(executable, args, env);
  child.stdin!.end(input);
  let [out, err] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

function run(
  executable: string,
  args: string[],
  env: Record<string, string>,
  ofNode: string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...ofNode, executable, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
