import type { Uuid } from '../../../values/ids.js';
import type { Part, SaidObject, SaidRefund, Words } from './statement.js';

/** Parts about a person: a field of a report, or all that a shop says of its buyer. */
const personal: ReadonlySet<string> = new Set([
  'personId',
  'email',
  'name',
  'visitorId',
  'firstTouch',
  'lastTouch',
  'earlier',
  'buyer',
]);

/** Takes the words about a person out of a statement. The further fields of a shop stay: taxes and the like. */
export function withoutPerson(said: SaidObject): SaidObject {
  const parts = Object.entries(said.parts).flatMap(([name, part]): [string, Part][] => {
    if (personal.has(name) || name === 'extra') return [];
    return [[name, name === 'refunds' ? { ...part, value: withoutReasons(part.value as SaidRefund[]) } : part]];
  });
  return { ...said, parts: Object.fromEntries(parts) };
}

const withoutReasons = (refunds: readonly SaidRefund[]) => refunds.map((refund) => ({ ...refund, reason: null }));

/** Takes a person out of a statement for ever, and marks it: no later word about a person counts in its order. */
export function withoutBuyer(said: SaidObject): SaidObject {
  const { order, ...parts } = withoutPerson(said).parts;
  const { extra: _, ...words } = (order?.value ?? {}) as Words;
  return {
    ...said,
    parts: order ? { ...parts, order: { ...order, value: words } } : parts,
    buyers: [],
    isMarked: true,
  };
}

/** The name of an erased statement: that of a page's report holds the person. */
export const erasedName = ({ object, buyers }: SaidObject, orderId: Uuid): string =>
  buyers.reduce((name, id) => name.replace(id, orderId), object);
