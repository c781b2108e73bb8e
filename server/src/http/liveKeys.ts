import { createBoundedMap } from '../boundedMap.js';
import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';
import type { Uuid } from '../ids.js';
import { findKey } from '../sql/findKey.js';

/** What the server knows of API keys without asking, and what it asks. */
export interface LiveKeys {
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
}

/** Makes the one place that asks whether a key is live, besides the statements of the three endpoints. */
export function createLiveKeys(sql: Sql): LiveKeys {
  const teams = createBoundedMap<Uuid>(10_000);

  return {
    async requireTeam(keyHash) {
      const known = teams.get(keyHash);
      if (known !== undefined) return known;
      const key = await findKey(sql, keyHash);
      if (!key) throw new ApiError('invalid_api_key');
      teams.set(keyHash, key.teamId);
      return key.teamId;
    },
    async refuseDeadFirst(keyHash, handle) {
      try {
        return await handle();
      } catch (error) {
        const isRefusal = error instanceof ApiError && error.status < 500 && error.status !== 401;
        if (isRefusal && !(await findKey(sql, keyHash))) throw new ApiError('invalid_api_key');
        throw error;
      }
    },
  };
}
