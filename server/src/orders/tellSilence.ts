/** A silence that says something; see `findSilence`. */
export interface ToldSilence {
  lastOrderAt: Date;
  usualOrders: number;
}

/**
 * Says that orders have stopped, in the console, in webhooks and in Slack alike.
 * @param format writes a time for its reader
 */
export function tellSilence(
  { lastOrderAt, usualOrders }: ToldSilence,
  format: (time: Date) => string,
): string {
  return (
    `No order since ${format(lastOrderAt)}; usually there are at least ${usualOrders} by now. ` +
    'Check that customers can buy, and that the shop’s pages still report orders.'
  );
}

/** Says that orders come again. */
export function tellEnd(
  { lastOrderAt, endedAt }: { lastOrderAt: Date; endedAt: Date },
  format: (time: Date) => string,
): string {
  return `Orders are coming in again since ${format(endedAt)}. Before that there was none since ${format(lastOrderAt)}.`;
}
