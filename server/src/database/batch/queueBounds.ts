/** Limits of a queue. */
export interface QueueBounds {
  /** Rows of one statement. */
  batchRows: number;
  /** Rows waiting or in flight; one more is refused with 503 so that the memory does not fill up. */
  rowsWaiting: number;
  /** Waiting rows of one group; less than `rowsWaiting`, so that a group that floods leaves places to the others. */
  rowsWaitingOfGroup: number;
  /** Time that a row may wait for its statement to start. A late one is refused with 503. */
  waitAtMostMs: number;
}

/**
 * Limits of a server's queues. A statement of 256 rows took 18 ms. 4,000 rows of a team are about a second of work: more
 * are refused immediately, and other teams have places left.
 */
export const queueBounds: QueueBounds = {
  batchRows: 256,
  rowsWaiting: 8_000,
  rowsWaitingOfGroup: 4_000,
  waitAtMostMs: 5_000,
};

/** The answer to a row that finds too many others waiting. */
export const tooManyWaiting = 'The server has more to store than it can right now; try again.';
