import { WrongAnswer } from '../../../../database/pairRows.js';
import type { Uuid } from '../../../../values/ids.js';
import type { PreparedReport } from '../../report.js';

/** Refusals because of the key or the domain; a domain can require a signature, of its own mode. */
export type ReportRefusal =
  | 'invalid_api_key'
  | 'team_mismatch'
  | 'domain_not_allowed'
  | 'invalid_signature'
  | 'signature_required';

/** The verdict on a report that is not stored as a new live order. */
export interface ReportVerdictRow {
  id: Uuid;
  /** The refusal if nothing was stored, or null. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /** False without a refusal: an order of that mode has one of the identifiers, or that order number, already. */
  isNew: boolean;
}

/** The row that says how many reports have no row of their own. */
export interface CountRow {
  /** New live orders; null in the row of a report. */
  newLive: number | null;
}

/**
 * Returns the exceptions of an answer that speaks of every report.
 * @param rows of each exception, and the count, which has the id of the first report
 * @throws WrongAnswer
 */
export function requireAll(
  rows: (ReportVerdictRow & CountRow)[],
  reports: PreparedReport[],
): ReportVerdictRow[] {
  const ids = new Set(reports.map(({ id }) => id));
  const exceptions = rows.filter(({ newLive }) => newLive === null);
  const counts = rows.filter(({ newLive }) => newLive !== null);
  const named = new Set(exceptions.map(({ id }) => id));
  const isWhole =
    counts.length === 1 && counts[0]!.id === reports[0]!.id && named.size + counts[0]!.newLive! === ids.size;
  if (!isWhole || !exceptions.every(({ id }) => ids.has(id))) throw new WrongAnswer();
  return exceptions;
}
