import { setImmediate as turn } from 'node:timers/promises';

/**
 * Counts what happens in one turn of the event loop, in which no other request is answered.
 * @param run the action, which calls `happened` each time
 * @returns the most of any turn
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
