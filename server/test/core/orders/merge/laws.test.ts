import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Arrival, arrange, outcomeOf, permutationsOf } from './outcomes.js';
import { arrivals } from './randomArrivals.js';

/** Returns the two forms of a law: with a few examples, and with many at night. */
const forms = (few: number, many: number) => [
  { numRuns: few, tags: [] },
  { numRuns: many, tags: ['long'] },
];

/** Compares outcomes as texts first, because there are millions. */
function expectSame(one: readonly Arrival[], other: readonly Arrival[]) {
  const [outcome, expected] = [outcomeOf(one), outcomeOf(other)];
  if (JSON.stringify(outcome) !== JSON.stringify(expected)) expect(outcome).toEqual(expected);
}

for (const { numRuns, tags } of forms(12, 1000))
  it('up to six sayings end in the same orders, whatever comes first', { tags }, () => {
    fc.assert(
      fc.property(arrivals(6), (stated) => {
        for (const permuted of permutationsOf(stated)) expectSame(arrange(stated, permuted), stated);
      }),
      { numRuns },
    );
  });

for (const { numRuns, tags } of forms(400, 100_000))
  it('many sayings end in the same orders, whatever comes first', { tags }, () => {
    fc.assert(
      fc.property(
        arrivals(20).chain((stated) =>
          fc.tuple(fc.constant(stated), fc.shuffledSubarray(stated, { minLength: stated.length })),
        ),
        ([stated, permuted]) => expectSame(arrange(stated, permuted), stated),
      ),
      { numRuns },
    );
  });
