import { isRetryableConflict } from '../failures.js';

/** Five attempts; more conflicts mean another fault. */
export const attemptsAtMost = 5;

/** Runs a statement or transaction, and runs it again after a conflict with a concurrent one. Rejects with the last error. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryableConflict(error) || attempt === attemptsAtMost) throw error;
    }
  }
}
