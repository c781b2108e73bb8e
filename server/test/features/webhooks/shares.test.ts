import { expect, it } from 'vitest';
import { createShares } from '../../../src/features/webhooks/shares.js';

it('one group gets half of the slots, and each further one half of the rest', () => {
  const shares = createShares(50);
  const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((group) => {
    let count = 0;
    while (shares.tryAcquire(group)) count++;
    return count;
  });
  expect(taken).toEqual([25, 13, 6, 3, 2, 1]);
});

it('a slot that was given back can be taken by any group', () => {
  const shares = createShares(1);
  const release = shares.tryAcquire('a')!;
  expect(shares.tryAcquire('b')).toBeNull();
  release();
  expect(shares.tryAcquire('b')).not.toBeNull();
});
