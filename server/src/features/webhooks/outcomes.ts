import type { Sql } from '../../database/connection/connect.js';
import { isUnavailable } from '../../database/failures.js';
import type { Uuid } from '../../values/ids.js';
import { type Attempt, isGone } from './attempt.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import { markFailing, markSucceeding, releaseDeliveries, writeAttempts } from './sql/dueDelivery.js';
import { disableHook } from './sql/hook.js';

const goneReason = 'The receiver answered 410: it wants no more requests.';

/** Attempts and released claims of one team that are not written yet. */
interface Unwritten {
  attempts: Attempt[];
  released: ClaimedDelivery[];
}

/** Collects attempts that have ended, so that many share a statement. */
export interface Outcomes {
  add(teamId: Uuid, attempt: Attempt): void;
  /** Gives up the claims of deliveries that were not attempted. */
  release(teamId: Uuid, claimed: readonly ClaimedDelivery[]): void;
  /**
   * Writes what was collected, in statements of one team each, so that a team whose rows are locked keeps those of no other
   * from being written. What could not be written now stays for the next call. Resolves with false when nothing was written.
   */
  write(): Promise<boolean>;
}

/** Makes the collection of attempts. */
export function createOutcomes(sql: Sql, noteFault: (error: unknown) => void): Outcomes {
  let unwritten = new Map<Uuid, Unwritten>();

  function entryOf(teamId: Uuid): Unwritten {
    const entry = unwritten.get(teamId) ?? { attempts: [], released: [] };
    unwritten.set(teamId, entry);
    return entry;
  }

  return {
    add: (teamId, attempt) => void entryOf(teamId).attempts.push(attempt),
    release: (teamId, claimed) => void entryOf(teamId).released.push(...claimed),
    async write() {
      const taken = unwritten;
      unwritten = new Map();
      let written = 0;
      for (const [teamId, { attempts, released }] of taken) {
        try {
          if (attempts.length > 0) await writeAttempts(sql, teamId, attempts);
          await markHooks(teamId, attempts);
          if (released.length > 0) await releaseDeliveries(sql, teamId, released);
          written++;
        } catch (error) {
          noteFault(error);
          // An attempt that can never be written is left out: the claim ends, and it is sent again.
          if (!isUnavailable(error)) continue;
          entryOf(teamId).attempts.unshift(...attempts);
          entryOf(teamId).released.unshift(...released);
        }
      }
      return written > 0;
    },
  };

  /** Writes of each hook how its attempts went, in their order. */
  async function markHooks(teamId: Uuid, attempts: readonly Attempt[]): Promise<void> {
    for (const id of new Set(attempts.map(({ delivery }) => delivery.hookId))) {
      const ofHook = attempts.filter(({ delivery }) => delivery.hookId === id);
      const last = ofHook.at(-1)!;
      if (ofHook.some(({ result }) => result.error === null)) await markSucceeding(sql, teamId, id);
      if (ofHook.some(({ result }) => isGone(result))) await disableHook(sql, teamId, id, goneReason);
      else if (last.result.error !== null) await markFailing(sql, teamId, id, last.attemptedAt);
    }
  }
}
