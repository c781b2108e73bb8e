import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import type { StoreReport } from './storeReport.js';

/**
 * Refuses the report of a page that names a team which does not exist, before it takes a place in the queue: a page can
 * name any team. A team that this server does not know is looked up first. A key was identified before, and its report
 * is of its own team.
 */
export function createSubmitReport(
  { isKnownTeam, isTeam }: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
  storeReport: StoreReport,
): StoreReport {
  return function submitReport(teamId, report) {
    if (report.keyHash !== null || isKnownTeam(teamId)) return storeReport(teamId, report);
    return isTeam(teamId).then((isThere) => {
      if (!isThere) throw new ApiError('domain_not_allowed');
      return storeReport(teamId, report);
    });
  };
}
