let turn: Promise<void> | undefined;

/**
 * Resolves for all who ask in one turn of the event loop at once, when it has read what every connection brought in that
 * turn. Their requests then take each step of the app side by side, and the code of a step is in the processor's caches
 * for all but the first of them. An idle server waits for nothing: its turn ends at once.
 */
export function sideBySide(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}
