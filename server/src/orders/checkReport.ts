import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { createWarnings } from '../values/warnings.js';
import { isPlainReport } from './plainReport.js';
import { repairItems } from './repairItems.js';
import { orderSchema } from './reportSchema.js';

/** Valid report with a warning for each repaired field, or the reasons for a refusal. */
export type ReportCheck =
  | { report: OrderReport; warnings: Issue[]; error?: never }
  | { error: z.ZodError; report?: never; warnings?: never };

/** The fields that a report may leave out. */
const optionalFields = Object.entries(orderSchema.shape)
  .filter(([, schema]) => schema.safeParse(undefined).success)
  .map(([name]) => name);

/**
 * Checks the body of an order report. A key report is valid or refused, because a backend can be corrected. A page's
 * report is repaired first, because its buyer has paid and cannot be asked again: optional fields that are null count
 * as absent, and `repairItems` makes the items valid. Most reports are so plain that the schema is not needed.
 */
export function checkReport(body: unknown, isFromPage: boolean): ReportCheck {
  if (isPlainReport(body)) return { report: body, warnings: [] };
  const strict = orderSchema.safeParse(body);
  if (strict.success) return { report: withItemsAsSent(strict.data, body), warnings: [] };
  if (!isFromPage || typeof body !== 'object' || body === null || Array.isArray(body))
    return { error: strict.error };

  const { warn, list } = createWarnings();
  const repaired: Record<string, unknown> = { ...body };
  for (const name of optionalFields) {
    if (repaired[name] !== null) continue;
    delete repaired[name];
    warn(name, 'is null; left out');
  }
  if (repaired.items !== undefined) repaired.items = repairItems(repaired.items, warn);
  const lenient = orderSchema.safeParse(repaired);
  return lenient.success
    ? { report: withItemsAsSent(lenient.data, repaired), warnings: list() }
    : { error: lenient.error };
}

/** Puts the items back as they were sent: zod's copy lacks fields named `__proto__`, and differs in nothing else. */
function withItemsAsSent(report: OrderReport, body: unknown): OrderReport {
  if (report.items !== undefined) report.items = (body as OrderReport).items;
  return report;
}
