import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Touch } from '@orderbeacon/sdk/contract';

const builtHere = fileURLToPath(new URL('../../server/bin/orderbeacon.js', import.meta.url));

/** Module that ends a server with the process that started it. An interrupted run does not end it in order. */
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

/** The product as an operator has it: a running server, and the command. */
export interface Orderbeacon {
  url: string;
  /** Output of the server at its start. */
  output: string;
  /** Runs a subcommand with `--json`, and resolves with the document that it prints. */
  command<T>(...args: string[]): Promise<T>;
  /** Imports products as `product import` reads them from stdin. */
  importProducts(teamId: string, products: object[]): Promise<void>;
  /** Reads the team's stored orders. */
  orders(teamId: string): Promise<ListedOrder[]>;
}

/** Values that another process needs to use a running server. They are plain JSON. */
export interface RunningOrderbeacon {
  url: string;
  output: string;
  /** The `orderbeacon` command that started it. */
  executable: string;
  /** Settings of the server, also for commands. */
  env: Record<string, string>;
  /** URL of a `startCommandRunner()`. Without it, each command is a process. */
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
  // If this is root, PostgreSQL runs as another user, who needs access; otherwise its data would be elsewhere and stay.
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
      // The last output is the pinned tag, or that no release can be pinned.
      if (/crossorigin="anonymous"><\/script>\n|released versions\.\n/.test(output)) resolve();
    });
    let complaint = '';
    server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    // Not at its exit, because its last output may come later.
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

/** Returns the product of a server that runs already. Another process may have started it. */
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

/** Starts a process that runs commands of the built server one by one, which saves a process for each. */
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
