import { isSameAmount } from '../../../values/currency.js';
import type { Uuid } from '../../../values/ids.js';
import { fieldNames, type OrderFields } from '../fields.js';
import { isProviderId } from '../payment.js';
import type { ExtraFields, ReportedBy } from '../storedOrder.js';
import { byAge, byKind, moneyOf } from './clusters.js';
import { type FoldedRefund, foldRefunds } from './foldRefunds.js';
import { isErasedByShop, isLaterWord, wordsOf } from './joinVersions.js';
import { type Group, type SaidObject, speakers, type Words } from './statement.js';

/** Fields of an order as they follow from its statements; null for what nobody said. */
export type FoldedFields = { [Field in keyof OrderFields]: OrderFields[Field] | null } & { amount: string };

/** The order that follows from a group. */
export interface FoldedOrder {
  fields: FoldedFields;
  /** The buyer; null if nobody named one, or if the buyer was erased. */
  buyer: { personId: Uuid; email: string } | null;
  /** The person without an email who stands for a buyer whom nobody named; null if no speaker has one. */
  unnamed: { personId: Uuid; email: string } | null;
  /** Who erased the buyer; null if nobody did. */
  erasedBy: 'operator' | 'shop' | null;
  reportId: string | null;
  reportedBy: ReportedBy;
  createdAt: string;
  refunds: FoldedRefund[];
}

/**
 * Folds the statements of one order. A function of the set. Each field is the strongest word on it; money, refunds and the buyer
 * follow laws 3 to 6 and 8 of the guide "How orders become one".
 */
export function foldStatements(group: Group): FoldedOrder {
  const said = group.objects.filter(({ kind }) => kind !== 'refund');
  const objects = said.filter(({ kind, wasPaid }) => kind !== 'shopOrder' || wasPaid);
  const strongest = [...objects].sort(byStrength);
  const erasedBy = objects.some(({ isMarked }) => isMarked)
    ? 'operator'
    : objects.some(isErasedByShop)
      ? 'shop'
      : null;
  const named = erasedBy ? undefined : strongest.find((object) => wordsOf(object).personId !== undefined);
  const words = strongest.map((object) => {
    const all = wordsOf(object);
    return erasedBy || isOfOther(object, named) ? withoutPerson(all, erasedBy ? object : null) : all;
  });
  const money = foldMoney(strongest, group);
  const fields = Object.fromEntries(
    fieldNames.map((name) => [name, words.find((each) => each[name] != null)?.[name] ?? null]),
  ) as FoldedFields;
  const numbers = words.flatMap(({ orderId }) => orderId ?? []);
  // The touches of one speaker belong together.
  const touched =
    words.find(({ firstTouch, lastTouch }) => firstTouch != null || lastTouch != null) ??
    words.find(({ earlier }) => earlier)?.earlier;
  Object.assign(fields, {
    orderId: numbers.find((id) => !isProviderId(id)) ?? numbers[0] ?? null,
    amount: money.amount,
    currency: money.currency,
    firstTouch: touched?.firstTouch ?? null,
    lastTouch: touched?.lastTouch ?? null,
    extra: joinExtra(words),
  });
  const refunds = foldRefunds(group, money);
  return {
    fields,
    buyer: named ? { personId: wordsOf(named).personId!, email: wordsOf(named).email! } : null,
    unnamed: words.find(({ unnamed }) => unnamed)?.unnamed ?? null,
    erasedBy,
    reportId: reportIdOf(objects),
    reportedBy: reportedByOf(objects),
    createdAt: createdAtOf(objects),
    refunds: erasedBy ? refunds.map((refund) => ({ ...refund, reason: null })) : refunds,
  };
}

/** Compares statements: the strongest first; of one speaker the word that counts before the others. */
export function byStrength(one: SaidObject, other: SaidObject): number {
  const rank = speakers.indexOf(other.speaker) - speakers.indexOf(one.speaker);
  if (rank !== 0) return rank;
  if (one.speaker === 'shop') return byKind(one, other);
  const [a, b] = [one.parts.amount, other.parts.amount];
  if (a && b && one.speaker === 'backend' && isLaterWord(a, b) !== isLaterWord(b, a))
    return isLaterWord(a, b) ? -1 : 1;
  return one.arrived < other.arrived ? -1 : one.arrived > other.arrived ? 1 : byAge(one, other);
}

/** True for words that name another person than the buyer, whom the buyer's own statement never named. */
function isOfOther(object: SaidObject, named: SaidObject | undefined): boolean {
  if (!named || object.buyers.length === 0) return false;
  return !object.buyers.some((id) => named.buyers.includes(id));
}

/** Takes the words about a person out. The further fields of a shop and a backend stay: taxes and the like. */
function withoutPerson(words: Words, of: SaidObject | null): Words {
  const {
    personId: _,
    email: _email,
    name: _name,
    visitorId: _visitor,
    firstTouch: _first,
    lastTouch: _last,
    earlier: _earlier,
    ...rest
  } = words;
  if (of === null || of.speaker === 'shop' || of.speaker === 'backend') return rest;
  const { extra: _extra, ...impersonal } = rest;
  return impersonal;
}

/** The amount by law 5, and the currency by law 3. */
function foldMoney(
  strongest: readonly SaidObject[],
  { clusters }: Group,
): { amount: string; currency: string | null; giver: SaidObject | null } {
  const giver = strongest.find(({ kind }) => kind === 'shopOrder') ?? null;
  const payments = [...clusters].sort((a, b) =>
    byAge(a.objects.toSorted(byAge)[0]!, b.objects.toSorted(byAge)[0]!),
  );
  if (!giver && payments.length > 0) return { ...moneyOf(payments[0]!), giver: null };
  const speaker = giver ?? strongest.find((object) => wordsOf(object).amount != null)!;
  const { amount = '0', currency } = wordsOf(speaker);
  return { amount: amount!, currency: currency ?? currencyOf(amount!, strongest), giver };
}

/** The currency of a statement of the same amount, else the strongest that was said. */
function currencyOf(amount: string, strongest: readonly SaidObject[]): string | null {
  const said = strongest.map(wordsOf).filter(({ currency }) => currency != null);
  const same = said.find((words) => isSameAmount(Number(words.amount), Number(amount), words.currency!));
  return (same ?? said[0])?.currency ?? null;
}

function joinExtra(strongestFirst: readonly Words[]): ExtraFields | null {
  const said = strongestFirst.flatMap(({ extra }) => (extra ? [extra as ExtraFields] : []));
  return said.length === 0 ? null : Object.assign({}, ...said.reverse());
}

function reportIdOf(objects: readonly SaidObject[]): string | null {
  const pages = objects.filter(({ speaker }) => speaker === 'page').sort(byStrength);
  return pages.flatMap(({ names }) => names.filter(({ kind }) => kind === 'report'))[0]?.value ?? null;
}

function reportedByOf(objects: readonly SaidObject[]): ReportedBy {
  const isBy = (...of: SaidObject['speaker'][]) => objects.some(({ speaker }) => of.includes(speaker));
  if (isBy('signed') || (isBy('page') && isBy('file', 'backend', 'shop'))) return 'both';
  return isBy('page') ? 'browser' : 'key';
}

/** What the shop dates, else what a backend or a file says, else the call of the page, else the first arrival. */
function createdAtOf(objects: readonly SaidObject[]): string {
  const shopOrders = objects.filter(({ kind }) => kind === 'shopOrder');
  const steps = [
    shopOrders,
    objects.filter(({ speaker }) => speaker === 'shop'),
    objects.filter(({ speaker, isDated }) => speaker === 'backend' && isDated),
    objects.filter(({ speaker, isDated }) => speaker === 'file' && isDated),
    objects.filter(({ speaker }) => speaker === 'page' || speaker === 'signed'),
    objects,
  ];
  const dated = steps.find((step) => step.length > 0)!;
  return dated.map(({ created }) => created).reduce((a, b) => (a < b ? a : b));
}
