import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withLock } from '../src/lock';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Request = (name: string, options: object, use: (lock: unknown) => unknown) => Promise<unknown>;
const run = (use: () => void, request?: Request) => {
  const navigator = (request ? { locks: { request } } : {}) as never;
  withLock({ navigator, setTimeout: setTimeout as never }, use);
};

test('holds the lock for 50 ms, until other tabs see what was written', async () => {
  const use = vi.fn();
  let isHeld = true;
  run(use, async (_name, _options, grant) => {
    await grant({});
    isHeld = false;
  });
  expect(use).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(49);
  expect(isHeld).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(isHeld).toBe(false);
});

test('runs without the lock 100 ms later when somebody else holds it', async () => {
  const use = vi.fn();
  run(use, async (_name, options, grant) => {
    expect(options).toEqual({ ifAvailable: true });
    await grant(null);
  });
  expect(use).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(use).toHaveBeenCalledOnce();
});

test.each<[string, Request | undefined]>([
  ['has no locks', undefined],
  ['refuses them, as in sandboxed frames', () => Promise.reject(new Error('SecurityError'))],
  [
    'throws',
    () => {
      throw new Error('SecurityError');
    },
  ],
])('runs once in a browser that %s', async (_, request) => {
  const use = vi.fn();
  run(use, request);
  await vi.advanceTimersByTimeAsync(1000);
  expect(use).toHaveBeenCalledOnce();
});
