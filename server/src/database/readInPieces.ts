import type { PendingQuery, Row } from 'postgres';

/**
 * Reads the rows of a query so many at a time, no faster than they are taken, to the end. Rejects when the connection
 * is lost, whenever that is: where it happens between two pieces, the iterator of postgres.js 3.4.9 ends as if that
 * had been all, and writes to a socket that is null.
 */
export async function* readInPieces<Item extends Row>(
  query: PendingQuery<Item[]>,
  rowsAtOnce: number,
): AsyncGenerator<Item[]> {
  let arrived: Item[] | undefined;
  let goOn = () => {};
  let notify = () => {};
  let end: { error?: unknown } | undefined;
  const finish = (outcome: { error?: unknown }) => {
    end = outcome;
    notify();
  };
  query
    .cursor(rowsAtOnce, (rows) => {
      arrived = rows as Item[];
      notify();
      // Stays pending after a loss, so that nothing is written then.
      return new Promise<void>((resolve) => {
        goOn = resolve;
      });
    })
    .then(
      () => finish({}),
      (error) => finish({ error }),
    );
  for (;;) {
    if (!arrived && !end) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
    if (end && 'error' in end) throw end.error;
    if (!arrived) return;
    const piece = arrived;
    arrived = undefined;
    yield piece;
    if (!end) goOn();
  }
}
