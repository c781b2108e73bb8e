const lookEveryMs = 500;

/**
 * Sends this process SIGTERM when the npm that started it has ended. Otherwise it would go on without a parent and keep the
 * port after npm was killed. Does nothing without npm, and on Windows.
 */
export function endWithNpm(env: Record<string, string | undefined>): void {
  if (env.npm_command === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs).unref();
}
