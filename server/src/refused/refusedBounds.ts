/** Bounds of what is kept, and of what waits to be kept. */
export interface RefusedBounds {
  reportsOfTeam: number;
  /** Of one host of a team. */
  reportsOfHost: number;
  /** Hosts of a team that are counted apart in an hour. */
  hostsCounted: number;
  reportsWaiting: number;
  reportsWaitingOfTeam: number;
  bytesWaiting: number;
  /** How long a report may wait for its statement to set out. */
  waitAtMostMs: number;
  /** How long a full team or host is taken for full without a look. */
  rememberFullMs: number;
  /** From one writing of counts to the next. */
  countEveryMs: number;
}

/** The bounds of every server; tests give others. */
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
