import { inject, it } from 'vitest';

/**
 * Declares a test that says something which cannot be seen, or is not so, on a Citus cluster: there it is skipped, and
 * its name says why.
 */
export function itOffCitus(reason: string) {
  if (!inject('isCitus')) return it;
  return (name: string, _test: () => Promise<unknown>) => it.skip(`${name} (not on Citus: ${reason})`);
}

/** A lock that a statement waits for on a worker is not in the coordinator's `pg_blocking_pids`. */
export const itSeesLocks = itOffCitus('locks are held on the workers');
