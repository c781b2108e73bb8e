/** Waits until the process is asked to stop, with SIGTERM or SIGINT, or by SIGHUP when its terminal is closed. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
