import { readFileSync } from 'node:fs';

const lookEveryMs = 500;

/**
 * Sends this process SIGTERM when the npm or npx that started it has ended. Otherwise it would go on without a parent and
 * keep the port: npm passes a signal to its shell only, and npm itself may be killed. Does nothing without npm, and on
 * Windows.
 */
export function endWithNpm(env: Record<string, string | undefined>): void {
  if (env.npm_command === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const shellsParent = parentOfShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOfShell(parent) === shellsParent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs).unref();
}

/**
 * Returns the parent of a process that is a shell, such as Debian's, which stays between npm and its command. Undefined for
 * another process, and beyond Linux, where the shell becomes the command.
 */
function parentOfShell(pid: number): string | undefined {
  try {
    return /^\d+ \(\w*sh\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
