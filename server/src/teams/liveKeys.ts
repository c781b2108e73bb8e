import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import type { SenderCache } from './senderCache.js';

/** What the server knows of API keys without asking, and what it asks. */
export interface LiveKeys {
  /** True when the key was seen to be live, and to be dead never since. */
  isKnown(keyHash: string): boolean;
  /**
   * The team that a key speaks for. A key never changes its team, so the team is remembered and saves a
   * statement per request. A key can be revoked, so the route's own statement must check that it is live.
   * @throws ApiError `invalid_api_key` for a key that is unknown, or revoked before it was remembered
   */
  requireTeam(keyHash: string): Promise<Uuid>;
  /**
   * Runs a request that came with a key. When the request is refused and the key is dead, the caller is told of
   * the key: a dead key comes before anything that is wrong with the body.
   */
  refuseDeadFirst<Result>(keyHash: string, handle: () => Promise<Result>): Promise<Result>;
  /** Told of a key that a statement found dead: from now on it is as unknown as any other. */
  forget(keyHash: string): void;
}

/** Makes the one place that asks whether a key is live, besides the statements of the three endpoints. */
export function createLiveKeys({ knownTeamOf, teamOf, forgetKey }: SenderCache): LiveKeys {
  return {
    isKnown: (keyHash) => knownTeamOf(keyHash) !== undefined,
    async requireTeam(keyHash) {
      const teamId = knownTeamOf(keyHash) ?? (await teamOf(keyHash));
      if (teamId === null) throw new ApiError('invalid_api_key');
      return teamId;
    },
    async refuseDeadFirst(keyHash, handle) {
      try {
        return await handle();
      } catch (error) {
        const isRefusal = error instanceof ApiError && error.status < 500 && error.status !== 401;
        if (isRefusal && (await teamOf(keyHash)) === null) throw new ApiError('invalid_api_key');
        throw error;
      }
    },
    forget: forgetKey,
  };
}
