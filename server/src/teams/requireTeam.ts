import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import type { SenderCache } from './senderCache.js';

/**
 * Refuses a page that names a team which does not exist: a page can name any. A team that this server has seen before is
 * not looked up: then there is nothing to wait for.
 * @throws ApiError `domain_not_allowed`
 */
export type RequireTeam = (teamId: Uuid) => Promise<void> | undefined;

/** Makes the check of the teams that pages name. */
export function createRequireTeam({
  isKnownTeam,
  isTeam,
}: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>): RequireTeam {
  return function requireTeam(teamId) {
    if (isKnownTeam(teamId)) return undefined;
    return isTeam(teamId).then((isThere) => {
      if (!isThere) throw new ApiError('domain_not_allowed');
    });
  };
}
