import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';

/**
 * Counts events in each turn of the event loop, in which no other request is answered.
 * @param run the action, which calls `happened` for each event
 * @returns the largest number of a turn
 */
export async function mostInATurn(run: (happened: () => void) => Promise<unknown>): Promise<number> {
  let [inTurn, most, isOver] = [0, 0, false];
  const running = run(() => {
    inTurn++;
    most = Math.max(most, inTurn);
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await turn();
    inTurn = 0;
  }
  await running;
  return most;
}

/**
 * Counts the texts that are parsed in each turn of the event loop while an action runs.
 * @param texts the texts that count
 * @returns the largest number of a turn
 */
export function mostParsedInATurn(texts: ReadonlySet<string>, run: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON;
  return mostInATurn((happened) => {
    const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, ...more) => {
      if (texts.has(text)) happened();
      return parse(text, ...more);
    });
    onTestFinished(() => spy.mockRestore());
    return run();
  });
}
