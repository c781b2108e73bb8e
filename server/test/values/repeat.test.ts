import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { repeat } from '../../src/values/repeat.js';

it('work begins again when it has ended and a pause is over, never beside itself', async () => {
  const steps: string[] = [];
  const stop = repeat(
    5,
    async () => {
      steps.push('begins');
      await delay(20);
      steps.push('ends');
    },
    { onFault: () => {}, firstMs: 0 },
  );
  await expect.poll(() => steps.length).toBeGreaterThanOrEqual(6);
  await stop();
  const pairs = steps.filter((_, at) => at % 2 === 0).map((step, at) => [step, steps[2 * at + 1]]);
  expect(new Set(pairs.map(String))).toEqual(new Set(['begins,ends']));
});

it('work that fails is done again, and each fault is handed on', async () => {
  const faults: unknown[] = [];
  const stop = repeat(1, async () => Promise.reject('away'), { onFault: (fault) => faults.push(fault) });
  await expect.poll(() => faults).toEqual(expect.arrayContaining(['away', 'away']));
  await stop();
});

it('nothing begins after it is stopped, and work that goes on gets the signal and is waited for', async () => {
  let begun = 0;
  let isEnded = false;
  const stop = repeat(
    1,
    async (signal) => {
      begun++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await delay(20);
      isEnded = true;
    },
    { onFault: () => {} },
  );
  await expect.poll(() => begun).toBe(1);
  await stop();
  expect(isEnded).toBe(true);
  await delay(20);
  expect(begun).toBe(1);
});

it('a stop does not wait for the pause to end, and waits one second for work that hangs', async () => {
  const beganMs = performance.now();
  await repeat(60_000, async () => {}, { onFault: () => {} })();
  expect(performance.now() - beganMs).toBeLessThan(500);
  let isHanging = false;
  const stop = repeat(
    1,
    () => {
      isHanging = true;
      return new Promise(() => {});
    },
    { onFault: () => {} },
  );
  await expect.poll(() => isHanging).toBe(true);
  const stoppedMs = performance.now();
  await stop();
  expect(performance.now() - stoppedMs).toBeGreaterThan(900);
});
