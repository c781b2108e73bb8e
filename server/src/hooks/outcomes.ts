import type { Sql } from '../database/connection/connect.js';
import { isUnavailable } from '../database/failures.js';
import type { Uuid } from '../values/ids.js';
import type { HookOutcome } from './attempt.js';
import type { ClaimedDelivery } from './hookDelivery.js';
import { markFailing, markSucceeding, releaseDeliveries, writeOutcomes } from './sql/dueDelivery.js';
import { disableHook } from './sql/hook.js';

const goneReason = 'The receiver answered 410: it wants no more requests.';

/** Outcomes and released claims of one team that are not written yet. */
interface Unwritten {
  outcomes: HookOutcome[];
  released: ClaimedDelivery[];
}

/** Collects the outcomes of attempts, so that many share a statement. */
export interface Outcomes {
  add(teamId: Uuid, outcome: HookOutcome): void;
  /** True while an outcome of a hook waits to be written, so that the stored hook does not know of it. */
  isWaiting(teamId: Uuid, hookId: Uuid): boolean;
  /** Gives up the claims of deliveries that were not attempted. */
  release(teamId: Uuid, claimed: readonly ClaimedDelivery[]): void;
  /**
   * Writes what was collected, in statements of one team each. Resolves with false when there was nothing. Rejects with the
   * database's failures; what a database that is away has not taken stays for the next call.
   */
  write(): Promise<boolean>;
}

/** Makes the collection of outcomes. */
export function createOutcomes(sql: Sql): Outcomes {
  let unwritten = new Map<Uuid, Unwritten>();

  function of(teamId: Uuid): Unwritten {
    const found = unwritten.get(teamId) ?? { outcomes: [], released: [] };
    unwritten.set(teamId, found);
    return found;
  }

  return {
    add: (teamId, outcome) => void of(teamId).outcomes.push(outcome),
    isWaiting: (teamId, hookId) =>
      unwritten.get(teamId)?.outcomes.some(({ delivery }) => delivery.hookId === hookId) ?? false,
    release: (teamId, claimed) => void of(teamId).released.push(...claimed),
    async write() {
      const taken = unwritten;
      unwritten = new Map();
      const isAny = taken.size > 0;
      for (const [teamId, { outcomes, released }] of taken) {
        try {
          if (outcomes.length > 0) await writeOutcomes(sql, teamId, outcomes);
          await markHooks(teamId, outcomes);
          if (released.length > 0) await releaseDeliveries(sql, teamId, released);
          taken.delete(teamId);
        } catch (error) {
          // An outcome that can never be written is left out: the claim ends, and it is sent again.
          if (!isUnavailable(error)) taken.delete(teamId);
          for (const [team, left] of taken) {
            of(team).outcomes.unshift(...left.outcomes);
            of(team).released.unshift(...left.released);
          }
          throw error;
        }
      }
      return isAny;
    },
  };

  /** Writes of each hook how its attempts went, in their order. */
  async function markHooks(teamId: Uuid, outcomes: readonly HookOutcome[]): Promise<void> {
    for (const id of new Set(outcomes.map(({ delivery }) => delivery.hookId))) {
      const sent = outcomes.filter(
        ({ delivery, verdict }) => delivery.hookId === id && verdict !== 'notSent',
      );
      const verdicts = sent.map(({ verdict }) => verdict);
      if (verdicts.includes('success')) await markSucceeding(sql, teamId, id);
      if (verdicts.at(-1) === 'failure') await markFailing(sql, teamId, id, sent.at(-1)!.attemptedAt);
      if (verdicts.includes('gone')) await disableHook(sql, teamId, id, goneReason);
    }
  }
}
