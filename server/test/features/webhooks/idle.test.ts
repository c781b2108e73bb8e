import { expect, it } from 'vitest';
import { createIdleWait } from '../../../src/features/webhooks/idleWait.js';

it.each([
  ['there was some in the last minute', 59_000, 1_000],
  ['there was none in the last minute', 61_000, 15_000],
])('the pause without work, where %s, is short or long', async (_, quietMs, pauseMs) => {
  let nowMs = 0;
  const pauses: (number | undefined)[] = [];
  const idle = createIdleWait({ nowMs: () => nowMs, pause: async (ms) => void pauses.push(ms) });
  nowMs = quietMs;
  await idle.wait(null, new AbortController().signal);
  await idle.wait(15, new AbortController().signal);
  expect(pauses).toEqual([pauseMs, 15]);
});

it('a long pause ends with work, after which pauses are short, and each ends with the server', async () => {
  let nowMs = 0;
  const pauses: number[] = [];
  const ended = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      pauses.push(ms);
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
  const idle = createIdleWait({ nowMs: () => nowMs, pause: ended });
  const stopping = new AbortController();
  nowMs = 61_000;
  const long = idle.wait(null, stopping.signal);
  idle.wake();
  await long;
  const short = idle.wait(null, stopping.signal);
  idle.wake();
  stopping.abort();
  await short;
  expect(pauses).toEqual([15_000, 1_000]);
});
