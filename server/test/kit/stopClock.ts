import { onTestFinished, vi } from 'vitest';

/** Stops the clock of rate limits until the test ends. Otherwise they refill while a busy machine sends the next request. */
export function stopClock(): void {
  // A whole number, because a stopped clock would show how fractions are rounded.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(Math.round(performance.now()));
  onTestFinished(() => clock.mockRestore());
}
