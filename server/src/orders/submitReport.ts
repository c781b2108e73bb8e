import type { SenderCache } from '../teams/senderCache.js';
import { ApiError } from '../values/errors.js';
import type { Uuid } from '../values/ids.js';
import type { ReportOutcome } from './recordOrders.js';
import type { CheckedReport } from './sql/reportOrders.js';

/** Stores a report; resolves after the commit that holds its order. */
export type SubmitReport = (teamId: Uuid, report: CheckedReport) => Promise<ReportOutcome>;

/**
 * Gives a report its place in the queue of its team. A page can name any team: one that this server does not know is
 * looked for first, and a report of none is refused as one of a page that is not allowed. A key has been recognised
 * before, and its report is of its own team.
 */
export function createSubmitReport(
  { isKnownTeam, isTeam }: Pick<SenderCache, 'isKnownTeam' | 'isTeam'>,
  submit: SubmitReport,
): SubmitReport {
  return function submitReport(teamId, report) {
    if (report.keyHash !== null || isKnownTeam(teamId)) return submit(teamId, report);
    return isTeam(teamId).then((isThere) =>
      isThere ? submit(teamId, report) : new ApiError('domain_not_allowed'),
    );
  };
}
