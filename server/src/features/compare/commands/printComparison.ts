import { sanitizeForTerminal } from '../../../values/sanitizeForTerminal.js';
import type { ComparedOrder } from '../compare/comparedOrders.js';
import type { Comparison, Difference } from '../compare/comparison.js';
import { advice, describeFound, describeReading, describeRefunds } from '../compare/describeOutcome.js';
import type { FileOrder, Unread } from '../read/fileOrder.js';

/** The differences of a comparison, one list for each kind. */
export interface ComparedLists {
  missing: FileOrder[];
  different: { order: FileOrder; here: ComparedOrder }[];
  onlyHere: ComparedOrder[];
  unread: Unread[];
  notStored: Unread[];
}

/** The outcome of the command. */
export interface Compared {
  comparison: Comparison;
  /** Number of orders that were stored. */
  stored: number;
  /** Set if nothing was stored, because the user has to confirm with `--as-new`. */
  isHeld: boolean;
}

/** Adds a difference to its list. */
export function keepDifference(lists: ComparedLists, found: Difference): void {
  switch (found.kind) {
    case 'missing':
      lists.missing.push(found.order);
      break;
    case 'different':
      lists.different.push(found);
      break;
    case 'onlyHere':
      lists.onlyHere.push(found.here);
      break;
    case 'unread':
      lists.unread.push(found.unread);
  }
}

/** Builds the document that `--json` prints. */
export function toDocument(lists: ComparedLists, { comparison, stored, isHeld }: Compared) {
  const { missing, different, onlyHere, unread, ...rest } = comparison;
  return {
    ...rest,
    stored,
    isHeld,
    counts: { missing, different, onlyHere, unread },
    missing: lists.missing.map(missingForm),
    different: lists.different.map(differentForm),
    onlyHere: lists.onlyHere.map(onlyHereForm),
    unread: lists.unread,
    notStored: lists.notStored,
  };
}

function missingForm({ line, orderId, email, createdMs, refunded, ...money }: FileOrder) {
  const createdAt = createdMs === null ? null : new Date(createdMs).toISOString();
  return {
    line,
    orderId,
    ...moneyForm(money),
    refunded: refundedForm(money.amount, refunded),
    email,
    createdAt,
  };
}

function differentForm({ order, here }: { order: FileOrder; here: ComparedOrder }) {
  const { line, orderId } = order;
  return { line, orderId, orderNumber: here.orderNumber, inFile: moneyForm(order), here: moneyForm(here) };
}

function onlyHereForm({ orderId, orderNumber, createdAt, reportedBy, ...money }: ComparedOrder) {
  return { orderId, orderNumber, ...moneyForm(money), createdAt, reportedBy };
}

/** Returns the refunded money as a number; `some` if the file does not state the amount, null for no refund. */
function refundedForm(amount: string | null, refunded: FileOrder['refunded']) {
  if (refunded === null || refunded === 'some') return refunded;
  return Number(refunded === 'all' ? amount : refunded);
}

function moneyForm({ amount, currency }: { amount: string | null; currency: string | null }) {
  return { amount: amount === null ? null : Number(amount), currency };
}

/** Describes a comparison in lines for a person. */
export function describeComparison(lists: ComparedLists, { comparison, stored, isHeld }: Compared): string {
  const { missing, different, onlyHere, unread } = comparison;
  const written = {
    count: String,
    money: (amount: number, currency: string) => `${amount} ${currency}`.trim(),
  };
  const lines = [
    ...section(`Missing here (${missing})`, lists.missing, (order) => [
      order.orderId,
      writeMoney(order),
      order.email ?? 'no email',
      order.createdMs === null ? 'no date' : new Date(order.createdMs).toISOString(),
      ...(order.refunded === null ? [] : [`refunded ${refundedForm(order.amount, order.refunded)}`]),
    ]),
    ...section(`Different (${different})`, lists.different, ({ order, here }) => [
      order.orderId,
      here.orderNumber,
      `${writeMoney(order)} in the file`,
      `${writeMoney(here)} here`,
    ]),
    ...section(`Only here (${onlyHere})`, lists.onlyHere, (here) => [
      here.orderId ?? '(no order id)',
      here.orderNumber,
      writeMoney(here),
      here.createdAt.toISOString(),
    ]),
    ...section(`Not read (${unread})`, lists.unread, toCells),
    ...section('Not stored', lists.notStored, toCells),
    ...describeFound(comparison, written),
    ...(stored > 0 ? [] : describeRefunds(comparison, written)),
    ...(different > 0 ? [`Different: ${advice.different}`] : []),
    ...(onlyHere > 0 ? [`Only here: ${advice.onlyHere}`] : []),
    ...describeReading(comparison, {
      count: String,
      nameCurrency: 'To store missing orders name it: --currency EUR.',
      nameWords: 'add it: --paid',
      leaveOut: 'If it is the dates that cannot be read, leave their column out: --created-at "".',
      nameIds: 'Name the column that has the ids of your pages: --order-id.',
    }),
    ...(isHeld
      ? ['Nothing was stored, because no id of the file is known. If these are other orders, add --as-new.']
      : []),
    ...(stored > 0 ? [`${stored} missing orders are stored now.`] : []),
  ];
  return lines.map(sanitizeForTerminal).join('\n');
}

function section<Item>(heading: string, items: Item[], toCells: (item: Item) => string[]): string[] {
  if (items.length === 0) return [];
  return [`${heading}:`, ...items.map((item) => `  ${toCells(item).join('  ')}`)];
}

function toCells({ line, orderId, message }: Unread): string[] {
  return [`line ${line}`, orderId ?? '(no order id)', message];
}

function writeMoney({ amount, currency }: { amount: string | null; currency: string | null }): string {
  return amount === null ? 'no amount' : `${amount} ${currency ?? ''}`.trim();
}
