import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrange, outcomeOf, permutationsOf, type Saying } from './outcomes.js';
import { sayings } from './randomSayings.js';

/** The two forms of a law: a few examples, and many at night. */
const forms = (few: number, many: number) => [
  { numRuns: few, tags: [] },
  { numRuns: many, tags: ['long'] },
];

/** Compares texts first, because millions of outcomes are compared. */
function expectSame(one: readonly Saying[], other: readonly Saying[]) {
  const [outcome, expected] = [outcomeOf(one), outcomeOf(other)];
  if (JSON.stringify(outcome) !== JSON.stringify(expected)) expect(outcome).toEqual(expected);
}

for (const { numRuns, tags } of forms(12, 1000))
  it('up to six sayings end in the same orders, whatever comes first', { tags }, () => {
    fc.assert(
      fc.property(sayings(6), (said) => {
        for (const permuted of permutationsOf(said)) expectSame(arrange(said, permuted), said);
      }),
      { numRuns },
    );
  });

for (const { numRuns, tags } of forms(400, 100_000))
  it('many sayings end in the same orders, whatever comes first', { tags }, () => {
    fc.assert(
      fc.property(
        sayings(20).chain((said) =>
          fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length })),
        ),
        ([said, permuted]) => expectSame(arrange(said, permuted), said),
      ),
      { numRuns },
    );
  });
