import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Arrival, isMark, outcomeOf } from './outcomes.js';
import { plainOutcome } from './plainModel.js';
import { arrivals } from './randomArrivals.js';

/** Computes the outcome of the server's functions in the form of the model's. */
function storedOutcome(stated: readonly Arrival[]) {
  const { orders, waiting, setAside } = outcomeOf(stated);
  return {
    orders: orders.map(({ objects, fields, buyer, erasedBy, reportedBy, createdAt, refunds }) => ({
      objects,
      fields: { ...fields, amount: Number(fields.amount) },
      buyer: buyer?.personId ?? null,
      erasedBy,
      reportedBy,
      createdAt,
      refunds: refunds.map(({ refundId, object, createdAt: at, counts }) => ({
        id: refundId,
        object,
        at,
        counts: Number(counts),
      })),
    })),
    waiting,
    setAside,
  };
}

/** @returns false for statements of an old server, which no law concerns */
const isOfToday = (stated: Arrival) => isMark(stated) || !stated.object.startsWith('legacy:');

for (const [numRuns, length, tags] of [
  [400, 6, []],
  [200, 14, []],
  [50_000, 10, ['long']],
] as const)
  it(`${numRuns} times ${length} sayings or fewer end as the laws say when they are written plainly`, {
    tags: [...tags],
  }, () => {
    fc.assert(
      fc.property(arrivals(length), (all) => {
        const stated = all.filter(isOfToday);
        expect(storedOutcome(stated)).toEqual(plainOutcome(stated));
      }),
      { numRuns },
    );
  });
