/** Limits of the refused reports that are kept, and of those that wait to be kept. */
export interface RefusedBounds {
  /** Places of a team's kept reports, by their sender. */
  places: Record<SenderKind, number>;
  /** Places of one host or key of a team. */
  placesOfSender: number;
  /** Reports a minute that may push out others, of a team and a kind of sender. */
  pushesPerMinute: number;
  /** Different counts of a team that wait to be written; further ones are counted together. */
  countsWaiting: number;
  /** Reports that wait or are being kept; more are dropped. */
  reportsWaiting: number;
  reportsWaitingOfTeam: number;
  bytesWaiting: number;
  /** Time that a report may wait for its statement to start. */
  waitAtMostMs: number;
  /** Time for which a host or key with a used-up quota is not looked up again. */
  rememberFullMs: number;
  /** The time between two writes of the counts. */
  countEveryMs: number;
}

/**
 * Sender of a refused report: a key, a page of a host among the team's domains, or a page of any other host. Each kind has
 * places of its own.
 */
export type SenderKind = 'key' | 'allowed' | 'unknown';

/**
 * Limits of every server; tests use others. 10,000 places are at most 160 MiB of bodies. A flood that uses up all places of
 * unknown hosts replaces 5 reports a second, so that what was kept before it lives on for a quarter of an hour, and the
 * table's dead rows stay few.
 */
export const refusedBounds: RefusedBounds = {
  places: { key: 3_000, allowed: 3_000, unknown: 4_000 },
  placesOfSender: 1_000,
  pushesPerMinute: 300,
  countsWaiting: 1_000,
  reportsWaiting: 1_000,
  reportsWaitingOfTeam: 500,
  bytesWaiting: 16 * 1024 * 1024,
  waitAtMostMs: 1_000,
  rememberFullMs: 5_000,
  countEveryMs: 1_000,
};

/** Bytes of a body that take one place, when they have begun. */
export const placeBytes = 16 * 1024;

/** Counts the places that a kept body takes, so that one number limits rows and bytes. */
export function placesOf(body: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(body) / placeBytes));
}
