import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { hasThreeDecimals } from '../values/currency.js';
import { issuesAtMost } from '../values/issues.js';
import { limits } from '../values/limits.js';
import { createWarnings, type Warn } from '../values/warnings.js';
import { checkExtra, extraFieldsAtMost, repairExtra } from './extraFields.js';
import { listNone, meant } from './listNone.js';
import { isPlainItem, isPlainReport } from './plainReport.js';
import { type Repair, repairText } from './repairFields.js';
import { repairItems } from './repairItems.js';
import { orderSchema, reportFields } from './reportSchema.js';
import type { ExtraFields } from './storedOrder.js';

/** Valid report with a warning for each repaired field, or the reasons for a refusal. */
export type ReportCheck =
  | { report: OrderReport; extra: ExtraFields | null; warnings: Issue[]; error?: never }
  | { error: z.ZodError; report?: never; extra?: never; warnings?: never };

/** The fields of a report, and if it may leave them out. */
const fields = Object.entries(orderSchema.shape).map(([name, schema]) => ({
  name,
  isOptional: schema.safeParse(undefined).success,
}));

/** The repairs of a page's optional fields beside `items`. */
const repairs = new Map<string, Repair>([
  ['name', repairText(limits.text)],
  ['visitorId', leaveOutInvalid(orderSchema.shape.visitorId)],
  ['landings', leaveOutInvalid(orderSchema.shape.landings)],
  ['items', (value, _path, warn) => repairItems(value, warn)],
]);

/**
 * Checks the body of an order report. A key report is valid or refused, because a backend can be corrected. A page's
 * report is repaired first, because its buyer has paid and cannot be asked again: optional fields that are null count
 * as absent, texts and items become valid, in place, and an id or a `name` that is none moves to the extra fields.
 * Most reports are so plain that the schema is not needed.
 *
 * The schema never sees all of a large body: it took 20 ms for one of 64 KiB.
 */
export function checkReport(body: unknown, isFromPage: boolean): ReportCheck {
  if (isPlainReport(body) && !(isFromPage && listNone(body).length > 0))
    return { report: body, extra: null, warnings: [] };
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { error: orderSchema.safeParse(null).error! };

  const { warn, list } = createWarnings();
  const { known: sent, extra, hasMore } = takeApart(body as Record<string, unknown>);
  if (isFromPage) {
    readAmount(sent, warn);
    repairKnown(sent, warn);
    for (const field of listNone(sent)) {
      warn([field], `is a template or an empty value, not ${meant[field]}; kept in the extra fields`);
      extra[field] = sent[field];
      delete sent[field];
    }
  }
  const items = sent.items as OrderReport['items'];
  // A page's items were repaired.
  const judged = { ...sent, items: isFromPage ? undefined : onlyInvalid(items) };
  if (isFromPage && isPlainReport(judged))
    return { report: { ...judged, items }, extra: repairExtra(extra, hasMore, warn), warnings: list() };
  const { data, error } = orderSchema.safeParse(judged);
  const issues = isFromPage ? [] : checkExtra(extra, hasMore);
  if (error || issues.length > 0) return { error: new z.ZodError([...(error?.issues ?? []), ...issues]) };
  // As they were sent: zod's copy lacks fields named `__proto__`, and differs in nothing else.
  const report = items === undefined ? data : { ...data, items };
  const kept = isFromPage ? repairExtra(extra, hasMore, warn) : orNull(extra);
  return { report, extra: kept, warnings: list() };
}

/** Separates the fields of the contract from the first extra ones. */
function takeApart(body: Record<string, unknown>) {
  const known: Record<string, unknown> = {};
  const extra: [string, unknown][] = [];
  let hasMore = false;
  for (const name in body) {
    if (reportFields.has(name)) known[name] = body[name];
    else if (extra.length < extraFieldsAtMost) extra.push([name, body[name]]);
    else hasMore = true;
  }
  // A field may have any name, and an assignment to `__proto__` would set the prototype.
  return { known, extra: Object.fromEntries(extra), hasMore };
}

/** Repairs a page's optional fields, or leaves them out, each with a warning. */
function repairKnown(sent: Record<string, unknown>, warn: Warn): void {
  for (const { name, isOptional } of fields) {
    const value = sent[name];
    const repair = value === null ? leaveOutNull : repairs.get(name);
    if (value === undefined || !isOptional || !repair) continue;
    const repaired = repair(value, [name], warn);
    if (repaired === undefined) delete sent[name];
    else sent[name] = repaired;
  }
}

/** Reads an amount such as `12.500`, which could be 12,500, by the decimals of its currency. */
function readAmount(sent: Record<string, unknown>, warn: Warn): void {
  const { amount, currency } = sent;
  if (typeof amount !== 'string' || !/^\d{1,3}\.\d{3}$/.test(amount) || !hasThreeDecimals(currency)) return;
  sent.amount = Number(amount);
  warn(['amount'], `is a text; kept as the number ${sent.amount}`);
}

const leaveOutNull: Repair = (_value, path, warn) => {
  warn(path, 'is null; left out');
};

/** Makes the repair of a field that cannot be repaired. */
function leaveOutInvalid(schema: z.ZodType): Repair {
  return (value, path, warn) => {
    const { error } = schema.safeParse(value);
    if (!error) return value;
    warn(path, `${error.issues[0]!.message}; left out`);
    return undefined;
  };
}

function orNull(extra: ExtraFields): ExtraFields | null {
  return Object.keys(extra).length > 0 ? extra : null;
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
