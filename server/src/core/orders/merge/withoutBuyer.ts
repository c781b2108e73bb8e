import type { Uuid } from '../../../values/ids.js';
import type { Part, SaidObject, SaidRefund, Words } from './statement.js';

const personal: ReadonlySet<string> = new Set([
  'personId',
  'email',
  'name',
  'visitorId',
  'firstTouch',
  'lastTouch',
  'earlier',
  'extra',
  'buyer',
]);

/** Takes a person out of a statement, and marks it: no later word about a person counts in its order. */
export function withoutBuyer(said: SaidObject, orderId: Uuid): SaidObject {
  const parts = Object.entries(said.parts).flatMap(([name, part]): [string, Part][] => {
    if (personal.has(name)) return [];
    return [[name, { ...part, digests: [], value: withoutPerson(name, part.value) }]];
  });
  return {
    ...said,
    object: said.buyers.reduce((object, id) => object.replace(id, orderId), said.object),
    parts: Object.fromEntries(parts),
    buyers: [],
    isMarked: true,
  };
}

function withoutPerson(name: string, value: unknown): unknown {
  if (name === 'refunds') return (value as SaidRefund[]).map((refund) => ({ ...refund, reason: null }));
  if (name !== 'order') return value;
  const { extra: _, ...words } = value as Words;
  return words;
}
