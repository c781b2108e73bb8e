import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { isAlive, readPostmaster } from '../../src/embedded/postmaster.js';
import { clusterIn } from './temporaryFolder.js';

/**
 * Starts another process that uses the embedded database. Resolves when the process has opened the database or failed.
 * @param inside a command that runs the process, such as `unshare`
 */
export async function startUser(dataDir: string, inside: string[] = []) {
  const script = fileURLToPath(new URL('./databaseUser.mjs', import.meta.url));
  const [program, ...args] = [...inside, process.execPath, script, dataDir];
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const said: string[] = [];
  const answers = new PassThrough({ objectMode: true });
  createInterface({ input: child.stdout })
    .on('line', (line) => {
      const value = JSON.parse(line);
      if (value.said === undefined) answers.write(value);
      else said.push(value.said);
    })
    .on('close', () => answers.end());
  const iterator = answers[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await iterator.next();
    return done ? { ended: true } : value;
  };
  const answer = await next();

  const user = {
    pid: child.pid!,
    /** `open`, or the error of the process. */
    answer,
    /** The lines for its operator so far. */
    said,
    /** Runs one line of SQL. An error is returned as `{ error }`. */
    query(text: string) {
      child.stdin.write(`${text}\n`);
      return next();
    },
    /** Resolves when the process has closed the database and ended. */
    async close() {
      child.stdin.end();
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
  onTestFinished(() => user.kill());
  return user;
}

/** Returns the process id of the PostgreSQL that runs in a folder. */
export function runningIn(dataDir: string): number {
  return readPostmaster(clusterIn(dataDir))!.pid;
}

/** Resolves when a process has ended. If it does not end, the test fails. */
export function gone(pid: number): Promise<void> {
  return expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}
