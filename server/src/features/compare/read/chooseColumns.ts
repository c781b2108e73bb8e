import { columnKey, isOfFirstNames, keysOf, listHeads } from '../../../values/csvHeads.js';
import { readCurrencyCode } from '../../../values/currency.js';
import { FileError } from '../../../values/errors.js';
import { type Claim, findClaims, findModes, isStatus } from './claims.js';
import { columnsOf, type Format, formats } from './formats.js';
import { type FileField, fileFields, itemAmounts, itemColumns, itemPrices } from './knownColumns.js';
import { findKindColumn, isRefundHead } from './refundHeads.js';

/** Columns that the user has named. A field with an empty name is left out. */
export type NamedColumns = Partial<Record<FileField, string>>;

/** The chosen columns of a file. */
export interface ChosenColumns {
  /** The recognised export; null for any other file. */
  format: Format | null;
  head: readonly string[];
  /** The column indexes of each field, the preferred column first. */
  at: Record<FileField, number[]>;
  /** Columns besides the status that can deny that an order was paid. */
  claims: readonly Claim[];
  /** The currency of all rows, if the user named a currency instead of a column. */
  currency: string | null;
  /** Index of the column that separates orders from other rows, or that says what a row is; -1 if the file has no such column. */
  otherRowsAt: number;
  /** Set if each line has the amount of one item, so that an order is the sum of its lines. */
  isOfItems: boolean;
}

const smallestUnit =
  'The amounts of a payment provider’s API are in the smallest unit: take the export of its dashboard.';

/**
 * Finds the columns of a file by its head line, and by the names that the user gives.
 * @throws FileError if a named column is missing or occurs twice, if the column of amounts occurs twice, or if the file
 * has no column of order ids or of amounts
 */
export function chooseColumns(head: readonly string[], named: NamedColumns): ChosenColumns {
  const keys = head.map(columnKey);
  if (named.amount === undefined && head.includes('total_usd') && head.includes('currency_rate'))
    throw new FileError(`The totals of this file are in cents. ${smallestUnit}`);
  const format = formats.find(({ own }) => own.every((heads) => hasOne(head, heads))) ?? null;
  const currency =
    named.currency?.trim() && !keys.includes(columnKey(named.currency)) ? readCode(named.currency) : null;
  const at = {} as ChosenColumns['at'];
  for (const field of fileFields) {
    const name = named[field];
    if (name?.trim() === '') at[field] = [];
    else if (name !== undefined && !(field === 'currency' && currency))
      at[field] = [requireColumn(head, name)];
    else {
      // Two heads may differ only in their spelling, such as `order_id (metadata)` and `orderId (metadata)`.
      const found = columnsOf(format, field).flatMap((key) => indexesOf(keys, (each) => each === key));
      at[field] = severalCount.has(field) ? found : found.slice(0, 1);
    }
  }
  if (at.mode.length === 0) at.mode = findModes(head);
  if (named.refunded === undefined) addRefundColumns(at, head);
  const claims = named.status?.trim() === '' ? [] : claimsBeside(at, findClaims(head));
  // Each item's line may have a different payment or transaction.
  if (keys.some((key) => itemColumns.has(key))) at.payment = [];
  // A full name already contains the last name.
  if (named.name === undefined && !isOfFirstNames(keys[at.name[0] ?? -1] ?? '')) at.lastName = [];
  const amountAt = at.amount[0];
  // If two columns have the same head, nothing shows which one has the order's amount.
  if (amountAt !== undefined && named.amount === undefined) requireColumn(head, head[amountAt]!);
  if (format?.betterExport && named.amount === undefined) at.amount = [];
  if (at.orderId.length === 0 || (at.amount.length === 0 && !format?.betterExport))
    throw new FileError(describeUnknown(head));
  return {
    format,
    head,
    at,
    claims,
    currency,
    otherRowsAt: format?.otherRows ? firstColumn(keys, format.otherRows.head ?? '') : findKindColumn(head),
    isOfItems: amountAt !== undefined && !format?.columns?.amount && isOfItem(keys, keys[amountAt]!),
  };
}

/** Finds the first column with one of the heads; -1 without such a column. */
const firstColumn = (keys: readonly string[], heads: string): number =>
  keysOf(heads).flatMap((key) => indexesOf(keys, (each) => each === key))[0] ?? -1;

/** Adds the columns of refunds that no field uses. Each may have an amount, a yes or a date. */
function addRefundColumns(at: ChosenColumns['at'], head: readonly string[]): void {
  const taken = new Set(fileFields.flatMap((field) => at[field]));
  for (const [index, name] of head.entries())
    if (!taken.has(index) && isRefundHead(name))
      for (const field of [at.refunded, at.isRefunded]) field.push(index);
}

/**
 * Returns the claims whose columns no field uses. If no status column was found, the first claim that can be a status becomes it.
 * The status column that the user named stays a claim if it is a claim of another kind than `state`.
 */
function claimsBeside(at: ChosenColumns['at'], claims: readonly Claim[]): Claim[] {
  if (at.status.length === 0)
    at.status = claims
      .filter(isStatus)
      .map((claim) => claim.at)
      .slice(0, 1);
  if (claims.some((claim) => claim.kind !== 'state' && claim.at === at.status[0])) at.status = [];
  const isDate = (field: FileField) => field === 'createdAt' || field === 'time';
  const taken = new Set(fileFields.flatMap((field) => (isDate(field) ? [] : at[field])));
  return claims.filter((claim) => !taken.has(claim.at));
}

/**
 * Fields that are read from all of their columns; all others are read from one. A row's value is that of its first filled column,
 * but every column of `keys` counts.
 */
const severalCount: ReadonlySet<FileField> = new Set(['orderId', 'keys', 'name', 'payment', 'refunded']);

/** Returns the head of each field's column; null for a field without one. */
export function namesOfColumns({
  head,
  at,
  claims,
  currency,
}: ChosenColumns): Record<FileField, string | null> {
  const indexesOf = (field: FileField) =>
    field === 'status' ? [...at.status, ...claims.map((claim) => claim.at)] : at[field];
  const names = fileFields.map((field) => [
    field,
    indexesOf(field)
      .map((index) => head[index])
      .join(', ') || null,
  ]);
  return { ...Object.fromEntries(names), ...(currency && { currency }) };
}

/** Returns the currency of an order, or else the currency of the export. */
export function currencyOf(currency: string | null, { format }: ChosenColumns): string | null {
  return currency ?? format?.currency ?? null;
}

function hasOne(head: readonly string[], heads: string | readonly string[]): boolean {
  return [heads].flat().some((name) => head.some((each) => each.trim() === name));
}

/** @returns true if the amount is an item's: by its head, or because the line has an item's columns but no price */
function isOfItem(keys: readonly string[], amount: string): boolean {
  if (itemAmounts.has(amount)) return true;
  const isAboutItem = keys.some((key) => itemColumns.has(key));
  return amount === 'amount' && isAboutItem && !keys.some((key) => itemPrices.has(key));
}

function readCode(text: string): string | null {
  return /^(?:[a-z]{3}|[A-Z]{3,5})$/.test(text) ? readCurrencyCode(text) : null;
}

function requireColumn(head: readonly string[], name: string): number {
  const exact = indexesOf(head, (each) => each.trim() === name.trim());
  const found = exact.length > 0 ? exact : indexesOf(head, (each) => columnKey(each) === columnKey(name));
  if (found.length === 0) throw new FileError(`The file has no column "${name}". ${listHeads(head)}`);
  if (found.length > 1) throw new FileError(`Two columns are called "${name}"; rename one of them.`);
  return found[0]!;
}

function indexesOf(head: readonly string[], isIt: (name: string) => boolean): number[] {
  return head.flatMap((name, index) => (isIt(name) ? [index] : []));
}

function describeUnknown(head: readonly string[]): string {
  const apiTable = ['id', 'amount', 'currency'].every((name) => head.includes(name));
  const hint = apiTable ? ` ${smallestUnit}` : '';
  return `The first line must name a column of order ids and one of totals. ${listHeads(head)} Name these two columns.${hint}`;
}
