import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { issuesAtMost } from '../values/issues.js';
import { limits } from '../values/limits.js';
import { createWarnings, type Warn } from '../values/warnings.js';
import { isPlainItem, isPlainReport } from './plainReport.js';
import { repairItems } from './repairItems.js';
import { orderSchema } from './reportSchema.js';

/** Valid report with a warning for each repaired field, or the reasons for a refusal. */
export type ReportCheck =
  | { report: OrderReport; warnings: Issue[]; error?: never }
  | { error: z.ZodError; report?: never; warnings?: never };

/** The fields of a report, and if it may leave them out. */
const fields = Object.entries(orderSchema.shape).map(([name, schema]) => ({
  name,
  isOptional: schema.safeParse(undefined).success,
}));

/**
 * Checks the body of an order report. A key report is valid or refused, because a backend can be corrected. A page's
 * report is repaired first, because its buyer has paid and cannot be asked again: optional fields that are null count
 * as absent, and `repairItems` makes the items valid, in place. Most reports are so plain that the schema is not needed.
 *
 * The schema never sees all of a large body: it took 20 ms for one of 64 KiB.
 */
export function checkReport(body: unknown, isFromPage: boolean): ReportCheck {
  if (isPlainReport(body)) return { report: body, warnings: [] };
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { error: orderSchema.safeParse(null).error! };

  const { warn, list } = createWarnings();
  const sent = knownFields(body as Record<string, unknown>, isFromPage ? warn : null);
  if (isFromPage && sent.items !== undefined) sent.items = repairItems(sent.items, warn);
  const items = isFromPage ? undefined : onlyInvalid(sent.items);
  const { data, error } = orderSchema.safeParse({ ...sent, items });
  if (error) return { error };
  // As they were sent: zod's copy lacks fields named `__proto__`, and differs in nothing else.
  const report = sent.items === undefined ? data : { ...data, items: sent.items as OrderReport['items'] };
  return { report, warnings: list() };
}

/**
 * Picks the fields of the contract.
 * @param warn leaves out optional fields that are null, with a warning; null keeps them
 */
function knownFields(body: Record<string, unknown>, warn: Warn | null): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const { name, isOptional } of fields) {
    if (!Object.hasOwn(body, name)) continue;
    if (warn && isOptional && body[name] === null) warn([name], 'is null; left out');
    else known[name] = body[name];
  }
  return known;
}

/** Leaves of the items only the first invalid ones, with an empty object for each valid one, for the schema to judge. */
function onlyInvalid(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  const shown: unknown[] = [];
  let invalid = 0;
  for (const item of items) {
    const isValid = isPlainItem(item);
    shown.push(isValid ? {} : item);
    if (!isValid) invalid++;
    if (invalid === issuesAtMost || shown.length > limits.items) break;
  }
  return shown;
}
