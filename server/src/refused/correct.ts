import { checkReport } from '../orders/checkReport.js';
import { readDecimal } from '../values/decimal.js';

/** Corrected fields, which replace the sent ones. */
export interface RefusedChanges {
  email?: string;
  amount?: number;
  currency?: string;
  orderId?: string;
}

/** Fields that an order does not need. */
const dispensable: readonly unknown[] = ['name', 'source', 'items', 'visitorId', 'reportId'];

/**
 * Puts corrections into a body, and leaves out invalid fields that an order does not need. The person who corrects a report
 * cannot correct such a field, for example a visitor.
 */
export function correct(
  sent: unknown,
  changes: RefusedChanges & { teamId: string },
  isFromPage: boolean,
): unknown {
  const fields = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  const body: Record<string, unknown> = { ...fields, ...changes };
  const { error } = checkReport(body, isFromPage);
  for (const { path } of error?.issues ?? []) {
    if (dispensable.includes(path[0])) delete body[path[0] as string];
  }
  return body;
}

/** Reads an amount that somebody has typed. Null for any other text, and for a number that would be rounded. */
export function readCorrectedAmount(text: string): number | null {
  return text.startsWith('-') ? null : readDecimal(text);
}
