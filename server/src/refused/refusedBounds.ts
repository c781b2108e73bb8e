/** Limits of the refused reports that are kept, and of those that wait to be kept. */
export interface RefusedBounds {
  /** Kept reports of a team. */
  reportsOfTeam: number;
  /** Kept reports of one host of a team. */
  reportsOfHost: number;
  /** Hosts of a team that are counted separately in an hour. */
  hostsCounted: number;
  /** Reports that wait or are being kept; more are dropped. */
  reportsWaiting: number;
  reportsWaitingOfTeam: number;
  bytesWaiting: number;
  /** Time that a report may wait for its statement to start. */
  waitAtMostMs: number;
  /** Time for which a team or host with a used-up quota is not looked up again. */
  rememberFullMs: number;
  /** The time between two writes of the counts. */
  countEveryMs: number;
}

/** Limits of every server; tests use others. */
export const refusedBounds: RefusedBounds = {
  reportsOfTeam: 10_000,
  reportsOfHost: 1_000,
  hostsCounted: 1_000,
  reportsWaiting: 1_000,
  reportsWaitingOfTeam: 500,
  bytesWaiting: 16 * 1024 * 1024,
  waitAtMostMs: 1_000,
  rememberFullMs: 5_000,
  countEveryMs: 1_000,
};
