import { inject, it } from 'vitest';

/**
 * Declares a test that says something which cannot be seen, or is not so, on a Citus cluster: there it is skipped, and
 * its name says why.
 */
export function itOffCitus(reason: string) {
  if (!inject('isCitus')) return it;
  return (name: string, _test: () => Promise<unknown>) => it.skip(`${name} (not on Citus: ${reason})`);
}
