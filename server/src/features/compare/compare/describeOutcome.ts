import type { FileField } from '../read/knownColumns.js';
import type { Comparison, Sums } from './comparison.js';

/** Functions and sentences that differ between the console and the command. */
export interface OutcomeWords {
  count: (count: number) => string;
  money: (amount: number, currency: string) => string;
  /** Completes "If one of these words means paid, …". */
  nameWords: string;
  /** A sentence on how to leave out a column whose dates cannot be read. */
  leaveOut: string;
  /** A sentence on how to name the currency, which missing orders need. */
  nameCurrency: string;
  /** A sentence on how to name the column that has the ids of the pages. */
  nameIds: string;
}

/** Names of the fields whose columns a person sees. */
const fieldWords: Partial<Record<FileField, string>> = {
  orderId: 'order id',
  amount: 'amount',
  currency: 'currency',
  email: 'email',
  createdAt: 'date',
  status: 'status',
};
/** Currencies that a sentence names at most. */
const currenciesNamed = 5;

/** Describes the counts of a comparison in sentences, with their money. */
export function describeFound(
  { format, orders, sums, ...numbers }: Comparison,
  { count, money }: Pick<OutcomeWords, 'count' | 'money'>,
): string[] {
  const inAll = `${count(orders)} ${orders === 1 ? 'paid order' : 'paid orders'}`;
  return [
    `${inAll}${format ? ` (${format})` : ''}: ${count(numbers.equal)} equal, ${count(numbers.missing)} missing here${inBrackets(describeSums(sums.missing, money))}, ${count(numbers.different)} different${inBrackets(describeMore(sums.different, money))}.`,
    `${count(numbers.onlyHere)} only here${inBrackets(describeSums(sums.onlyHere, money))}.`,
  ];
}

function inBrackets(stated: string): string {
  return stated === '' ? '' : ` (${stated})`;
}

/** Lists the money of differences in up to five currencies. Empty if there are no sums. */
export function describeSums(bySum: Sums, money: OutcomeWords['money']): string {
  const all = Object.entries(bySum);
  const first = all.slice(0, currenciesNamed).map(([currency, amount]) => money(amount, currency));
  return first.join(', ') + (all.length > currenciesNamed ? ', …' : '');
}

/** Describes by how much the file's money is more or less than the stored money. Empty if it is equal. */
export function describeMore(bySum: Sums, money: OutcomeWords['money']): string {
  const part = (sign: number, word: string) => {
    const ofSign = Object.entries(bySum).filter(([, amount]) => amount * sign > 0);
    const stated = describeSums(
      Object.fromEntries(ofSign.map(([code, amount]) => [code, amount * sign])),
      money,
    );
    return stated && `${stated} ${word} in the file`;
  };
  return [part(1, 'more'), part(-1, 'less')].filter(Boolean).join(', ');
}

/** Advice for each kind of difference. */
export const advice = {
  different:
    'If the shop has changed an order since, report it with a key and its new total. Otherwise look which of the two is wrong.',
  onlyHere:
    'Look these up in the shop: they may be unpaid, cancelled or trials, or be later than the export. What is no order can be discarded on its page.',
};

/** Describes the refunds that the file states, before its missing orders are stored. */
export function describeRefunds(
  { refunds: { orders, sums, unknown }, refundRows }: Comparison,
  { count, money }: Pick<OutcomeWords, 'count' | 'money'>,
): string[] {
  const of = (number: number) =>
    `${count(number)} missing ${number === 1 ? 'order was' : 'orders were'} refunded`;
  return [
    ...(orders > 0
      ? [`${of(orders)}${inBrackets(describeSums(sums, money))}. The refunds are stored with the orders.`]
      : []),
    ...(unknown > 0
      ? [
          `${of(unknown)} in part, and the file does not say how much: stored as it is, the whole amount counts. Add the column of the refunded amount to the export.`,
        ]
      : []),
    ...(refundRows.rows > 0
      ? [
          `${count(refundRows.rows)} ${refundRows.rows === 1 ? 'row is a refund' : 'rows are refunds'}${inBrackets(describeSums(refundRows.sums, money))}, which a comparison does not store: record the refund of each such order on its page.`,
        ]
      : []),
  ];
}

/** Describes in sentences how a file was read: which columns were used, and which rows were left out. */
export function describeReading(
  outcome: Comparison,
  { count, nameWords, nameIds, nameCurrency, leaveOut }: Omit<OutcomeWords, 'money'>,
): string[] {
  const { orders, columns, otherIds, betterExport } = outcome;
  const many = (number: number, one: string, more: string) => `${count(number)} ${number === 1 ? one : more}`;
  const words = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([word, number]) => `${count(number)} ${word}`)
      .join(', ');
  const named = Object.entries(fieldWords) as [FileField, string][];
  const taken = named.filter(([field]) => columns[field] !== null);
  const missed = named.filter(([field]) => columns[field] === null).map(([, word]) => word);
  const sentences = [
    outcome.unread > 0 &&
      `${many(outcome.unread, 'row', 'rows')} not read.${columns.createdAt === null ? '' : ` ${leaveOut}`}`,
    `Columns: ${taken.map(([field, word]) => `${word} “${columns[field]}”`).join(', ')}.${missed.length > 0 ? ` The file has no ${missed.join(', ')}.` : ''}`,
    columns.createdAt === null &&
      outcome.missing > 0 &&
      'Missing orders have no dates of their own here, so they would be stored as of now.',
    columns.status === null && 'No column says if an order was paid, so each row counts.',
    outcome.isOfItems && 'Each line is an item: the lines of an order were added up.',
    outcome.noOrders > 0 && `Left out as no orders, such as fees and sums: ${count(outcome.noOrders)}.`,
    Object.keys(outcome.unpaid).length > 0 && `Left out as not paid: ${words(outcome.unpaid)}.`,
    Object.keys(outcome.unknown).length > 0 &&
      `Left out because of an unknown word: ${words(outcome.unknown)}. If one of these words means paid, ${nameWords}.`,
    outcome.otherMode > 0 &&
      `Left out as orders of the other mode, live or test: ${count(outcome.otherMode)}.`,
    orders === 0 && 'No row could be read as a paid order, so nothing was compared.',
    betterExport && `Amounts were not compared: this export has no totals. Take ${betterExport}.`,
    outcome.comparesAmounts &&
      !outcome.comparesCurrencies &&
      `Currencies were not compared: the file has none.${outcome.lacksCurrency && outcome.missing > 0 ? ` ${nameCurrency}` : ''}`,
    outcome.later > 0 &&
      `${many(outcome.later, 'order', 'orders')} came here on the last day of the file, after its last order: the export may be older.`,
    lacksPayments(outcome) &&
      'Orders of a Stripe source are found by their payment: add the column “PaymentIntent ID” to the export.',
    otherIds &&
      `No order of the file is stored, and others are. The ids differ: “${otherIds.inFile}” in the file, “${otherIds.here}” here. ${nameIds}`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string');
}

function lacksPayments({ format, columns, missing }: Comparison): boolean {
  return format === 'Stripe payments' && missing > 0 && !/PaymentIntent ID/.test(columns.keys ?? '');
}
