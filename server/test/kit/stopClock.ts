import { onTestFinished, vi } from 'vitest';

/** Stops the clock of rate limits until the test ends: they refill while a busy machine sends the next request. */
export function stopClock(): void {
  // A whole number: a clock that stands still would show how fractions are rounded.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.round(performance.now()));
  onTestFinished(() => clock.mockRestore());
}
