import { expect, it } from 'vitest';
import { sharedSlots } from '../../../src/features/webhooks/startDelivering.js';
import { createSemaphore } from '../../../src/values/semaphore.js';

it('one team gets half of the slots, and each further one half of the rest', () => {
  const slots = createSemaphore(sharedSlots);
  const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((team) => {
    let count = 0;
    while (slots.tryAcquire(team)) count++;
    return count;
  });
  expect(taken).toEqual([25, 13, 6, 3, 2, 1]);
});

it('a slot that was given back can be taken by any team', () => {
  const slots = createSemaphore({ ...sharedSlots, concurrent: 1 });
  const release = slots.tryAcquire('a')!;
  expect(slots.tryAcquire('b')).toBeNull();
  release();
  expect(slots.tryAcquire('b')).not.toBeNull();
});
