/** Result of one check. */
export interface Check {
  /** Name of the check: a word or two, the same in every release. */
  check: string;
  ok: boolean;
  /** The finding. */
  message: string;
  /** The remedy, or of a finding that may be meant what to do if it is not; null if nothing is wrong. */
  fix: string | null;
}

/** Makes the outcome of a check that found nothing wrong. */
export function pass(check: string, message: string): Check {
  return { check, ok: true, message, fix: null };
}

/** Makes the outcome of a check that found what may be meant, with what to do if it is not. */
export function note(check: string, message: string, fix: string): Check {
  return { check, ok: true, message, fix };
}

/** Makes the outcome of a check that found a fault, with its fix. */
export function fail(check: string, message: string, fix: string): Check {
  return { check, ok: false, message, fix };
}

/** The command as fixes name it. With this path only the installed one can run. */
export const command = 'node_modules/.bin/orderbeacon';
