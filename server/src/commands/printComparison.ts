import { type Comparison, isNonePaid } from '../compare/comparison.js';
import type { FileOrder, Unread } from '../compare/fileOrders.js';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import type { ComparedLists, StoredForm } from './comparedLists.js';
import { type CommandIo, print } from './io.js';
import type { Spool } from './spool.js';

/** Prints a comparison: as one JSON document, or as lines for a person. It is written as it is read, however long. */
export async function printComparison(
  io: CommandIo,
  lists: ComparedLists,
  comparison: Comparison,
  stored: number,
  isJson: boolean,
): Promise<void> {
  if (isJson) await printJson(io, lists, comparison, stored);
  else await printText(io, lists, comparison, stored);
}

async function printJson(
  io: CommandIo,
  lists: ComparedLists,
  { missing, different, onlyHere, unread, ...rest }: Comparison,
  stored: number,
): Promise<void> {
  await print(io, JSON.stringify({ ...rest, stored }, null, 2).slice(0, -2));
  const numbers = { missing, different, onlyHere, unread };
  await print(io, `,\n  "counts": ${JSON.stringify(numbers)}`);
  await printList(io, 'missing', lists.missing, missingForm);
  await printList(io, 'different', lists.different, differentForm);
  await printList(io, 'onlyHere', lists.onlyHere, onlyHereForm);
  await printList(io, 'unread', lists.unread, (each) => each);
  await printList(io, 'notStored', lists.notStored, (each) => each);
  await print(io, '\n}\n');
}

async function printList<Item>(
  io: CommandIo,
  name: string,
  list: Spool<Item>,
  toPrinted: (item: Item) => unknown,
): Promise<void> {
  await print(io, `,\n  "${name}": [`);
  let separator = '';
  for await (const item of list.read()) {
    await print(io, `${separator}\n    ${JSON.stringify(toPrinted(item))}`);
    separator = ',';
  }
  await print(io, separator ? '\n  ]' : ']');
}

function missingForm({ line, orderId, email, createdMs, ...money }: FileOrder) {
  const createdAt = createdMs === null ? null : new Date(createdMs).toISOString();
  return { line, orderId, ...moneyForm(money), email, createdAt };
}

function differentForm({ order, here }: { order: FileOrder; here: StoredForm }) {
  const { line, orderId } = order;
  return { line, orderId, orderNumber: here.orderNumber, inFile: moneyForm(order), here: moneyForm(here) };
}

function onlyHereForm({ orderId, orderNumber, createdAt, reportedBy, ...money }: StoredForm) {
  return { orderId, orderNumber, ...moneyForm(money), createdAt, reportedBy };
}

function moneyForm({ amount, currency }: { amount: string | null; currency: string | null }) {
  return { amount: amount === null ? null : Number(amount), currency };
}

async function printText(
  io: CommandIo,
  lists: ComparedLists,
  comparison: Comparison,
  stored: number,
): Promise<void> {
  const line = (text: string) => print(io, `${sanitizeForTerminal(text)}\n`);
  const { missing, different, onlyHere, unread } = comparison;
  await section('Missing here', missing, lists.missing, (order) => [
    order.orderId,
    writeMoney(order),
    order.email ?? 'no email',
    order.createdMs === null ? 'no date' : new Date(order.createdMs).toISOString(),
  ]);
  await section('Different', different, lists.different, ({ order, here }) => [
    order.orderId,
    here.orderNumber,
    `${writeMoney(order)} in the file`,
    `${writeMoney(here)} here`,
  ]);
  await section('Only here', onlyHere, lists.onlyHere, (here) => [
    here.orderId ?? '(no order id)',
    here.orderNumber,
    writeMoney(here),
    here.createdAt,
  ]);
  await section('Not read', unread, lists.unread, toCells);
  await section('Not stored', null, lists.notStored, toCells);
  for (const sentence of describe(comparison, stored)) await line(sentence);

  async function section<Item>(
    heading: string,
    count: number | null,
    list: Spool<Item>,
    toLine: (item: Item) => string[],
  ): Promise<void> {
    let isFirst = true;
    for await (const item of list.read()) {
      if (isFirst) await line(count === null ? `${heading}:` : `${heading} (${count}):`);
      isFirst = false;
      await line(`  ${toLine(item).join('  ')}`);
    }
  }
}

function toCells({ line, orderId, message }: Unread): string[] {
  return [`line ${line}`, orderId ?? '(no order id)', message];
}

function writeMoney({ amount, currency }: { amount: string | null; currency: string | null }): string {
  return amount === null ? 'no amount' : `${amount} ${currency ?? ''}`.trim();
}

function describe(comparison: Comparison, stored: number): string[] {
  const { format, orders, equal, missing, different, onlyHere, unread, otherMode, otherIds } = comparison;
  const unpaid = Object.entries(comparison.unpaid).map(([status, count]) => `${count} ${status}`);
  return [
    `${orders} paid orders${format ? ` (${format})` : ''}: ${equal} equal, ${missing} missing here, ${different} different; ${onlyHere} only here, ${unread} rows not read.`,
    stored > 0 && `${stored} missing orders are stored now.`,
    unpaid.length > 0 && `Left out as not paid: ${unpaid.join(', ')}.`,
    isNonePaid(comparison) &&
      'No row counts as paid, so nothing was compared. If one of these words means paid, add it: --paid.',
    otherMode > 0 && `Left out as orders of the other mode, live or test: ${otherMode}.`,
    !comparison.comparesAmounts && 'Amounts were not compared: this export has no totals.',
    comparison.comparesAmounts &&
      !comparison.comparesCurrencies &&
      'Currencies were not compared: the file has none.',
    otherIds &&
      `No order of the file is stored, and others are: the ids differ, such as "${otherIds.inFile}" in the file and "${otherIds.here}" here. Name the column that has the ids of your pages: --order-id.`,
  ].filter((sentence) => typeof sentence === 'string');
}
