/** Runs what a browser may forbid (storage, cookies, broken JSON): its result, or undefined when it throws. */
export function safely<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
