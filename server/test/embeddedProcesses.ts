import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { isAlive, readPostmaster } from '../src/embedded/postmaster.js';
import { clusterIn } from './temporaryFolder.js';

/** Starts another process that uses the embedded database; resolves when it has opened it or said why not. */
export async function startUser(dataDir: string) {
  const script = fileURLToPath(new URL('./databaseUser.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    return done ? { ended: true } : JSON.parse(value);
  };
  const said: string[] = [];
  let answer = await next();
  for (; answer.said !== undefined; answer = await next()) said.push(answer.said);

  const user = {
    pid: child.pid!,
    /** `open`, or the error that it got. */
    answer,
    /** The lines for its operator. */
    said,
    /** Runs one line of SQL; an error comes back as `{ error }`. */
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

/** The process ids of the PostgreSQL that runs there now and of its supervisor's run folder. */
export function runningIn(dataDir: string) {
  const { pid, socketFolder } = readPostmaster(clusterIn(dataDir))!;
  return { pid, runFolder: socketFolder };
}

/** Resolves when the process has ended; fails the test if it does not. */
export function gone(pid: number): Promise<void> {
  return expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
}
