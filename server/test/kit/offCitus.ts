import { inject, it } from 'vitest';

/**
 * Declares a test that cannot pass on a Citus cluster. There it is skipped, and its name has the reason.
 */
export function itOffCitus(reason: string) {
  if (!inject('isCitus')) return it;
  return (name: string, _test: () => Promise<unknown>) => it.skip(`${name} (not on Citus: ${reason})`);
}
