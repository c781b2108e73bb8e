import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readCpuMs } from './cpu.js';
import type { Doing } from './doing.js';
import type { Flood, Flooded } from './floodSender.js';

const ownExecutable = fileURLToPath(new URL('../../../bin/orderbeacon.js', import.meta.url));
const floodSender = fileURLToPath(new URL('./floodSender.js', import.meta.url));
const besideSender = fileURLToPath(new URL('./besideSender.js', import.meta.url));
const alone = fileURLToPath(new URL('./alone.js', import.meta.url));
const hundredLines = fileURLToPath(new URL('./hundredLines.js', import.meta.url));

/** Number of bytes of a process's output that are kept. */
const outputBytes = 1_000_000;

/** Processes to end with this one. Otherwise a bench that fails would leave its servers running. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** A process that listens. */
export interface Listening {
  url: string;
  /** Time from the spawn to the line that names the URL. */
  startMs: number;
  /** Returns the CPU time so far, without PostgreSQL; null on systems without `/proc`. */
  cpuMs(): number | null;
  /** Returns the resident memory now, without PostgreSQL. */
  residentBytes(): number;
  /** Returns the end of its output since it listens. Of a server, this is the log. */
  output(): string;
  /** Returns the peak of the resident memory. */
  peakResidentBytes(): number;
  /** Sends SIGTERM. Resolves with the exit code; null if a signal killed the process. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a built server with its default settings. Its log is not read. */
export function startServer(env: Record<string, string>, executable = ownExecutable): Promise<Listening> {
  return listening(spawnNode([executable, 'serve'], { PORT: '0', ...env }));
}

/** Starts Hono alone, which serves `productBody` from memory. */
export function startAlone(productBody: string): Promise<Listening> {
  return listening(spawnNode([alone], { PRODUCT_BODY: productBody }));
}

/** Starts the server of a hundred lines. It commits each order by itself, or all waiting ones. */
export function startHundredLines(databaseUrl: string, commits: 'each' | 'batch'): Promise<Listening> {
  return listening(spawnNode([hundredLines, commits], { DATABASE_URL: databaseUrl }));
}

/** Runs a flood in a separate process, so that it does not slow down the good clients in this one. */
export async function runFlood(flood: Flood): Promise<Flooded> {
  const child = spawnNode([floodSender, JSON.stringify(flood)], {});
  let out = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The flood ended with ${code}`);
  return JSON.parse(out) as Flooded;
}

/**
 * Starts a load in a separate process. It gets only CPU time that the servers leave, because real strangers have other
 * computers. Returns a function that ends it.
 */
export function startBesideSender(doing: Doing): () => Promise<void> {
  const child = spawnNode([besideSender, JSON.stringify(doing)], {});
  const ended = once(child, 'close');
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  return async () => {
    child.kill();
    await ended;
  };
}

/** Runs a subcommand with `--json` and parses its output. */
export async function runCommand<T>(
  env: Record<string, string>,
  args: string[],
  { input = '', executable = ownExecutable }: { input?: string | undefined; executable?: string } = {},
): Promise<T> {
  const { code, stdout, stderr } = await runOrderbeacon(env, [...args, '--json'], input, executable);
  if (code !== 0) throw new Error(`orderbeacon ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** Runs a subcommand until it ends, also if it fails. */
export async function runOrderbeacon(
  env: Record<string, string>,
  args: string[],
  input = '',
  executable = ownExecutable,
) {
  const child = spawnNode([executable, ...args], env, 'pipe');
  // A command that failed does not read further input.
  child.stdin!.on('error', () => {}).end(input);
  const [stdout, stderr] = [text(child.stdout!), text(child.stderr!)];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

function spawnNode(
  args: string[],
  env: Record<string, string>,
  stderr: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['pipe', 'pipe', stderr],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function listening(child: ChildProcess): Promise<Listening> {
  const startedMs = performance.now();
  const ended = once(child, 'exit');
  // Kept as pieces: joining and cutting them each time would take CPU time from what is measured.
  const pieces: Buffer[] = [];
  let bytes = 0;
  const output = () => Buffer.concat(pieces).toString();
  const url = await new Promise<string>((resolve, reject) => {
    let isUp = false;
    child.stdout!.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.byteLength;
      while (bytes > outputBytes) bytes -= pieces.shift()!.byteLength;
      if (isUp) return;
      const found = /listens on (\S+)/.exec(output());
      if (!found) return;
      isUp = true;
      resolve(found[1]!);
    });
    child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)));
  });
  const memory = (name: string) => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) * 1024;
  };
  return {
    url,
    startMs: performance.now() - startedMs,
    cpuMs: () => readCpuMs(child.pid!),
    residentBytes: () => memory('VmRSS'),
    output,
    peakResidentBytes: () => memory('VmHWM'),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
