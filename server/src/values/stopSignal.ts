/** Waits for the signal to stop the process: SIGTERM, SIGINT, or SIGHUP, which a closed terminal sends. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
