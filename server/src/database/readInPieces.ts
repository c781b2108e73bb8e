import type { PendingQuery, Row } from 'postgres';

/**
 * Reads all rows of a query, `rowsAtOnce` at a time and no faster than they are consumed. Rejects when the connection
 * is lost, also between two pieces: there the iterator of postgres.js 3.4.9 ends as if all rows had been read, and
 * writes to a socket that is null.
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
      // Stays pending after a loss, so that postgres.js writes nothing more.
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
