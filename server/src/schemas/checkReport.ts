import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { orderSchema } from './order.js';
import { repairItems } from './repairItems.js';
import { createWarnings } from './warnings.js';

/** A report that can be stored, with what was changed or left out to make it so; or why it is refused. */
export type ReportCheck =
  | { report: OrderReport; warnings: Issue[]; error?: never }
  | { error: z.ZodError; report?: never; warnings?: never };

/** What a report need not have. */
const optionalFields = Object.entries(orderSchema.shape)
  .filter(([, schema]) => schema.safeParse(undefined).success)
  .map(([name]) => name);

/**
 * Checks the body of an order report. One with a key is taken as it is or refused, for a backend can be mended.
 * Of one from a page, whose buyer has paid and gone, the fields that are null count as absent and the items are
 * repaired; only its buyer, its money and its ids can refuse it.
 */
export function checkReport(body: unknown, isFromPage: boolean): ReportCheck {
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

/** Zod copies items without a field called `__proto__`, and changes nothing else about them. */
function withItemsAsSent(report: OrderReport, body: unknown): OrderReport {
  if (report.items !== undefined) report.items = (body as OrderReport).items;
  return report;
}
