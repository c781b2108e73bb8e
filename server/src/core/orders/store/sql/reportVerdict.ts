import { WrongAnswer } from '../../../../database/pairRows.js';
import type { Uuid } from '../../../../values/ids.js';
import type { PreparedReport } from '../../report.js';

/**
 * Refusals because of the key, the domain or the signature. A domain can require a signature, and a signature must be of the
 * domain's mode.
 */
export type ReportRefusal =
  | 'invalid_api_key'
  | 'team_mismatch'
  | 'domain_not_allowed'
  | 'invalid_signature'
  | 'signature_required';

/** The result for a report that is not stored as a new live order. */
export interface ReportVerdictRow {
  id: Uuid;
  /** The refusal if nothing was stored; otherwise null. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /**
   * Set if a new order was stored. If it is false without a refusal, an order of that mode already has one of the report's
   * identifiers, or the report needs the second step.
   */
  isNew: boolean;
}

/** The row with the number of reports that have no row. */
export interface CountRow {
  /** New live orders; null in the row of a report. */
  newLive: number | null;
}

/**
 * Returns the exceptions of an answer, after a check that it accounts for every report.
 * @param rows the exceptions, and the count, which has the id of the first report
 * @throws WrongAnswer if it does not
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
