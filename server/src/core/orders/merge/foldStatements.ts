import type { Uuid } from '../../../values/ids.js';
import { fieldNames, type OrderFields } from '../fields.js';
import { isProviderId } from '../payment.js';
import type { ExtraFields, ReportedBy } from '../storedOrder.js';
import { isOldErasure, personalFields } from './eraseBuyer.js';
import { foldMoney } from './foldMoney.js';
import { type FoldedRefund, foldRefunds } from './foldRefunds.js';
import { isErasedByShop, statedFields } from './joinVersions.js';
import { withoutParts } from './parts.js';
import { ofSameBuyer } from './sameBuyer.js';
import { type Group, isOfPage, type StatedObject } from './statement.js';
import { byStrength, type StatedName, sayersOf } from './strength.js';

/** Fields of an order, folded from its statements; null if no speaker stated the field. */
export type FoldedFields = { [Field in keyof OrderFields]: OrderFields[Field] | null } & { amount: string };

/** The order that follows from a group of statements. */
export interface FoldedOrder {
  fields: FoldedFields;
  /** The buyer; null if no speaker named one, or if the buyer was erased. */
  buyer: { personId: Uuid; email: string } | null;
  /** The person without an email who stands for an unknown buyer; null if no speaker has one. */
  unnamed: { personId: Uuid; email: string } | null;
  /** The one who erased the buyer; null if the buyer was not erased. */
  erasedBy: 'operator' | 'shop' | null;
  reportId: string | null;
  reportedBy: ReportedBy;
  createdAt: string;
  refunds: FoldedRefund[];
}

/**
 * Folds the statements of one order into the order. The result depends only on the set of statements, not on their order of
 * arrival. Each field has the strongest speaker's value: a page's value is shown if no shop, backend, signature or file states the
 * field. The guide "How orders become one" describes how money, refunds and the buyer follow.
 */
export function foldStatements(whole: Group): FoldedOrder {
  const group = { ...whole, objects: withoutParts(whole.objects) };
  const objects = group.objects.filter(({ kind }) => kind !== 'refund');
  const erasedBy = eraserOf(objects);
  const named = erasedBy ? undefined : sayersOf('personId', objects)[0];
  const same = named ? ofSameBuyer(objects, named) : new Set(erasedBy ? [] : objects);
  const sayers = (name: StatedName) =>
    sayersOf(name, objects).filter((object) => {
      if (personalFields.has(name)) return same.has(object);
      return name !== 'extra' || !erasedBy || object.speaker === 'shop' || isOldErasure(object);
    });
  const first = (name: StatedName) => sayers(name)[0];
  const money = foldMoney(group);
  const fields = Object.fromEntries(
    fieldNames.map((name) => [name, wordOf(first(name), name)]),
  ) as FoldedFields;
  const numbers = sayers('orderId').map((object) => statedFields(object).orderId!);
  Object.assign(fields, {
    orderId: numbers.find((id) => !isProviderId(id)) ?? numbers[0] ?? null,
    amount: money.amount,
    currency: money.currency,
    extra: joinExtra(sayers('extra')),
  });
  const earlier = wordOf(first('earlier'), 'earlier');
  if (earlier && fields.firstTouch === null && fields.lastTouch === null) Object.assign(fields, earlier);
  const refunds = foldRefunds(group, money);
  return {
    fields,
    buyer: named ? { personId: statedFields(named).personId!, email: statedFields(named).email! } : null,
    unnamed: wordOf(first('unnamed'), 'unnamed'),
    erasedBy,
    reportId: reportIdOf(objects),
    reportedBy: reportedByOf(objects),
    createdAt: createdAtOf(objects),
    refunds: erasedBy ? refunds.map((refund) => ({ ...refund, reason: null })) : refunds,
  };
}

function eraserOf(objects: readonly StatedObject[]): FoldedOrder['erasedBy'] {
  if (objects.some(({ isMarked }) => isMarked)) return 'operator';
  return objects.some(isErasedByShop) ? 'shop' : null;
}

const wordOf = <Name extends StatedName>(object: StatedObject | undefined, name: Name) =>
  (object && statedFields(object)[name]) ?? null;

function joinExtra(strongestFirst: readonly StatedObject[]): ExtraFields | null {
  const stated = strongestFirst.map((object) => statedFields(object).extra as ExtraFields);
  return stated.length === 0 ? null : Object.assign({}, ...stated.reverse());
}

function reportIdOf(objects: readonly StatedObject[]): string | null {
  const pages = objects.filter(({ speaker }) => speaker === 'page').sort(byStrength);
  return pages.flatMap(({ names }) => names.filter(({ kind }) => kind === 'report'))[0]?.value ?? null;
}

function reportedByOf(objects: readonly StatedObject[]): ReportedBy {
  const isBy = (...of: StatedObject['speaker'][]) => objects.some(({ speaker }) => of.includes(speaker));
  if (isBy('signed') || (isBy('page') && isBy('file', 'backend', 'shop'))) return 'both';
  return isBy('page') ? 'browser' : 'key';
}

/**
 * Finds the time of an order. It is the shop's, otherwise a backend's, otherwise a file's, otherwise the time of the page's call,
 * otherwise that of the first arrival.
 */
function createdAtOf(objects: readonly StatedObject[]): string {
  const steps = [
    objects.filter(({ kind }) => kind === 'shopOrder'),
    objects.filter(({ speaker }) => speaker === 'shop'),
    objects.filter(({ speaker, isDated }) => speaker === 'backend' && isDated),
    objects.filter(({ speaker, isDated }) => speaker === 'file' && isDated),
    objects.filter(isOfPage),
    objects,
  ];
  const dated = steps.find((step) => step.length > 0)!;
  return dated.map(({ created }) => created).reduce((a, b) => (a < b ? a : b));
}
