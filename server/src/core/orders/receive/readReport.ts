import type { Issue, OrderReport } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { decimalsOf, isNameOfSeveral } from '../../../values/currency.js';
import { readDecimal } from '../../../values/decimal.js';
import { exampleEmail, isExampleOrder } from '../../../values/examples.js';
import { createWarnings, type FieldIssue, type Warn } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import { findTemplate } from '../../../values/templates.js';
import type { ExtraFields } from '../storedOrder.js';
import { checkExtra, nameNearNames, repairExtra, takeExtra, warnOfMeanings } from './extraFields.js';
import { checkItems, repairItems } from './items.js';
import { decodeEntities, hasEntities, placeholderFields, placeholderFor, repairText } from './repair.js';
import { orderSchema } from './reportSchema.js';

/** A valid report with a warning for each repaired field; or, for a refusal, the issues and the valid fields. */
export type ReportReading =
  | { report: OrderReport; extra: ExtraFields | null; warnings: Issue[]; issues?: never; valid?: never }
  | { issues: FieldIssue[]; valid: Partial<OrderReport>; report?: never; extra?: never; warnings?: never };

/**
 * Reads a sent report as `readReport` does, but refuses the order of the printed example. Otherwise all later orders of a shop that
 * sends the example's values would repeat that order.
 */
export function readSentReport(body: unknown, isFromPage: boolean): ReportReading {
  const reading = readReport(body, isFromPage);
  const valid: Partial<OrderReport> = reading.report ?? reading.valid;
  if (!isExampleOrder(valid)) return reading;
  const message = `is that of the printed example, with its buyer ${exampleEmail}: have the shop fill in each order's own values`;
  return { issues: [{ path: ['orderId'], message }], valid };
}

/** All fields except items, for reports with an API key and for pages. A page cannot state when its order was placed or changed. */
const fieldsOfKey = toFields(orderSchema.omit({ items: true }));
const fieldsOfPage = toFields(orderSchema.omit({ items: true, createdAt: true, changedAt: true }));

function toFields<Shape extends z.ZodRawShape>(all: z.ZodObject<Shape>) {
  // In the order of the schema, which is also the order of the issues in a refusal.
  const single = Object.entries(all.shape).map(([name, schema]) => ({
    name,
    schema: schema as z.ZodType,
    isOptional: (schema as z.ZodType).safeParse(undefined).success,
  }));
  return { all, single, names: new Set(['items', ...Object.keys(all.shape)]) as ReadonlySet<string> };
}

const repairName = repairText(limits.text);

/**
 * Reads the body of an order report, each field by its schema. A report with an API key is valid or refused, because a backend can
 * be corrected.
 *
 * A page's report is repaired, because its buyer has paid and cannot be asked again. HTML entities are decoded. Invalid optional
 * fields are left out or made valid. A placeholder in an id or a name moves to the extra fields. Each repair adds a warning. Items
 * are repaired in place.
 */
export function readReport(body: unknown, isFromPage: boolean): ReportReading {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { issues: [{ path: [], message: 'must be a JSON object' }], valid: {} };
  const sent = body as Record<string, unknown>;
  const { warn, list } = createWarnings();
  const issues: FieldIssue[] = [];
  const fields = isFromPage ? fieldsOfPage : fieldsOfKey;
  const { extra, hasMore } = takeExtra(sent, fields.names);
  // Most reports are valid. One pass over all fields takes half the time of one pass per field.
  const right = isFromPage && needsRepair(sent) ? undefined : fields.all.safeParse(sent).data;
  const report: Record<string, unknown> = right ?? {};
  if (!right && isFromPage) readPage(sent, { report, extra, issues, warn });
  else if (!right) for (const field of fields.single) readField(field, sent[field.name], report, issues);

  const { items } = sent;
  if (items !== undefined) {
    if (!isFromPage) issues.push(...checkItems(items));
    report.items = isFromPage ? repairItems(items, warn) : items;
  }
  const names = Object.keys(extra);
  if (names.length > 0) {
    nameNearNames(names, report, issues, warn);
    warnOfMeanings(extra, report, isFromPage, warn);
  }
  if (names.length > 0 && !isFromPage) issues.push(...checkExtra(extra, hasMore));
  if (issues.length > 0) return { issues, valid: report };

  const read = report as unknown as OrderReport;
  warnOfMoney(read, warn);
  const kept = names.length === 0 ? null : isFromPage ? repairExtra(extra, hasMore, warn) : extra;
  return { report: read, extra: kept, warnings: list() };
}

function readField(
  { name, schema }: (typeof fieldsOfKey.single)[number],
  value: unknown,
  report: Record<string, unknown>,
  issues: FieldIssue[],
): void {
  const { data, error } = schema.safeParse(value);
  if (data !== undefined) report[name] = data;
  const template = error && typeof value === 'string' ? findTemplate(value.trim()) : null;
  if (template) {
    const message = `is a template that nobody filled in: it is filled in by ${template.filledBy}`;
    issues.push({ path: [name], message });
    return;
  }
  for (const { path, message } of error?.issues ?? []) issues.push({ path: [name, ...path], message });
}

/** @returns true for a page's report with fields that are valid but need a repair */
function needsRepair(sent: Record<string, unknown>): boolean {
  for (const name of placeholderFields) if (placeholderFor(name, sent[name]) !== undefined) return true;
  return hasEntities(sent.orderId) || hasEntities(sent.name);
}

/** Reads the fields of a page's report one by one, and repairs them. */
function readPage(
  sent: Record<string, unknown>,
  {
    report,
    extra,
    issues,
    warn,
  }: { report: Record<string, unknown>; extra: ExtraFields; issues: FieldIssue[]; warn: Warn },
): void {
  for (const field of fieldsOfPage.single) {
    const { name, schema, isOptional } = field;
    const value = unescaped(name, sent, warn);
    const placeholder = placeholderFor(name, value);
    if (placeholder !== undefined) {
      warn([name], `is a template or an empty value, not ${placeholder}; kept in the extra fields`);
      extra[name] = value;
    } else if (value === null && isOptional) warn([name], 'is null; left out');
    else if (name === 'name' && value !== undefined) report.name = repairName(value, [name], warn);
    else if (name === 'visitorId' || name === 'landings') {
      const { data, error } = schema.safeParse(value);
      if (error) warn([name], `${error.issues[0]!.message}; left out`);
      else report[name] = data;
    } else readField(field, value, report, issues);
  }
}

/**
 * Reads values that only pages send: numbers as order ids, texts with HTML entities, and amounts as texts. Such an amount is
 * `49.90`, or `12.500` if the currency has three decimals.
 */
function unescaped(name: string, sent: Record<string, unknown>, warn: Warn): unknown {
  const value = sent[name];
  if (name === 'orderId' && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') return value;
  if (name === 'orderId' || name === 'name') return decodeEntities(value, [name], warn);
  if (name !== 'amount') return value;
  if (plainAmount.test(value)) return readDecimal(value.trim()) ?? value;
  if (!/^\d{1,3}\.\d{3}$/.test(value)) return value;
  const { currency } = sent;
  if (typeof currency !== 'string' || decimalsOf(currency.toUpperCase()) !== 3) return value;
  warn([name], `is a text; kept as the number ${Number(value)}`);
  return Number(value);
}

/** Matches a text that can only mean one number. In `1.000`, with three decimals, the point may separate thousands. */
const plainAmount = /^\s*\d+(?:\.\d{1,2}|\.\d{4,})?\s*$/;

function warnOfMoney({ amount, currency }: OrderReport, warn: Warn): void {
  if (currency === undefined) return;
  if (isNameOfSeveral(currency))
    warn(['currency'], 'is what several currencies are called; kept as sent. Send a code such as USD');
  const decimals = decimalsOf(currency);
  if (Number.isInteger(amount) || Number(amount.toFixed(decimals)) === amount) return;
  warn(['amount'], `has more decimals than the ${decimals} of ${currency}; kept as sent`);
}
