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

/** Collects ended attempts, so that many share a statement. */
export interface Outcomes {
  add(teamId: Uuid, attempt: Attempt): void;
  /** Releases the claims of deliveries that were not attempted. */
  release(teamId: Uuid, claimed: readonly ClaimedDelivery[]): void;
  /**
   * Writes what was collected, with separate statements for each team. Rejects with the first temporary failure. The
   * rest then stays for the next call, with the team that failed as the last one.
   * @param away teams that are left for a later call
   * @returns false if nothing was written
   */
  write(away: ReadonlySet<Uuid>): Promise<boolean>;
}

/** Creates the collection of attempts. */
export function createOutcomes(sql: Sql, noteFault: (error: unknown) => void): Outcomes {
  let unwritten = new Map<Uuid, Unwritten>();

  function entryOf(teamId: Uuid): Unwritten {
    const entry = unwritten.get(teamId) ?? { attempts: [], released: [] };
    unwritten.set(teamId, entry);
    return entry;
  }

  /** Puts a team's outcomes back that could not be written. They come before the outcomes that were added since. */
  function putBack(teamId: Uuid, { attempts, released }: Unwritten): void {
    const entry = entryOf(teamId);
    entry.attempts.unshift(...attempts);
    entry.released.unshift(...released);
  }

  return {
    add: (teamId, attempt) => void entryOf(teamId).attempts.push(attempt),
    release: (teamId, claimed) => void entryOf(teamId).released.push(...claimed),
    async write(away) {
      const taken = unwritten;
      unwritten = new Map();
      let written = 0;
      for (const [teamId, entry] of taken) {
        taken.delete(teamId);
        if (away.has(teamId)) {
          putBack(teamId, entry);
          continue;
        }
        const { attempts, released } = entry;
        try {
          if (attempts.length > 0) await writeAttempts(sql, teamId, attempts);
          await markHooks(teamId, attempts);
          if (released.length > 0) await releaseDeliveries(sql, teamId, released);
          written++;
        } catch (error) {
          if (isUnavailable(error)) {
            for (const each of taken) putBack(...each);
            putBack(teamId, entry);
            throw error;
          }
          // An attempt that can never be written is dropped. Its claim ends, and it is sent again.
          noteFault(error);
        }
      }
      return written > 0;
    },
  };

  /** Updates each hook by its attempts, in their order. */
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
