import { isRetryableConflict } from '../failures.js';

/** A conflict can repeat, a fifth one in a row has another reason. */
const attemptsAtMost = 5;

/** Runs a statement or transaction again when it met a concurrent one, five times at most. Rejects with the last error. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryableConflict(error) || attempt === attemptsAtMost) throw error;
    }
  }
}
