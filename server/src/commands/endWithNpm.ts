const lookEveryMs = 500;

/**
 * Sends this process SIGTERM after the npm that started it has ended. Without this, the process would keep running and keep
 * the port after npm was killed. Does nothing if npm did not start it, and on Windows.
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
