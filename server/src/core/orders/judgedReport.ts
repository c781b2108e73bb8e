import type { CheckedReport } from './stampReport.js';
import type { ReportedBy } from './storedOrder.js';

/** A report after the database has looked up its key or domain, which say whether it is a test. */
export interface JudgedReport extends CheckedReport {
  isTest: boolean;
}

/** True for a report whose name a live key gave. */
export function isNameByKey({ name, keyHash, isTest }: JudgedReport): boolean {
  return name !== null && keyHash !== null && !isTest;
}

/** The reporter of a report by itself. A signed page counts as a page and a backend. */
export function reporterOf({ keyHash, signedAsTest }: JudgedReport): ReportedBy {
  if (keyHash !== null) return 'key';
  return signedAsTest === undefined ? 'browser' : 'both';
}
