import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Path of the command of this build. */
export const executable = fileURLToPath(new URL('../../bin/orderbeacon.js', import.meta.url));

/** The output and the exit of a process. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A server process that listens. */
export interface ServerProcess {
  url: string;
  /** Returns all that it has written to stdout so far. */
  output: () => string;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** Runs the built `orderbeacon` command to its end, as a process. `runOrderbeacon` needs neither build nor process. */
export function runProcess(
  args: string[],
  env: Record<string, string>,
  input: string | Buffer = '',
  { keepsInputOpen = false } = {},
): Promise<Ended> {
  const { child, ended } = start(args, env);
  if (keepsInputOpen) child.stdin!.write(input);
  else child.stdin!.end(input);
  return ended;
}

/**
 * Starts the built server on a free port. Resolves when it listens and has printed everything. On an embedded database it makes
 * the demo team after it listens, and prints that last.
 * @param program default: that of this build
 * @param options of the process: its working directory and its user
 */
export async function startServerProcess(
  env: Record<string, string>,
  program = executable,
  options: SpawnOptions = {},
): Promise<ServerProcess> {
  const { child, ended, output } = start(
    ['serve'],
    { PORT: '0', LOG_LEVEL: 'warn', ...env },
    program,
    options,
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const hasDemo = !env.DATABASE_URL && env.ORDERBEACON_DEMO !== 'off';
  const lastWord = hasDemo ? 'Demo team:' : 'listens on';
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const listening = /listens on (\S+)/.exec(output());
      if (listening && output().includes(lastWord)) resolve(listening[1]!);
    };
    child.stdout!.on('data', look);
    ended.then(({ stderr }) => reject(new Error(`The server ended before it listened: ${stderr}`)), reject);
  });
  return { url, output, signal: (name) => void child.kill(name), ended };
}

/** Starts and runs the processes of a rehearsal in `server/bench`. */
export const rehearsalProcesses = {
  async startServer(env: Record<string, string>) {
    const { url, output, signal, ended } = await startServerProcess(env);
    const stop = async () => {
      signal('SIGTERM');
      return (await ended).code;
    };
    return { url, output, residentBytes: () => 0, stop };
  },
  runCommand: (env: Record<string, string>, args: string[], input?: string) => runProcess(args, env, input),
};

function start(
  args: string[],
  env: Record<string, string>,
  program = executable,
  options: SpawnOptions = {},
) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    ...options,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code, stdout, stderr }));
  return { child, ended, output: () => stdout };
}
