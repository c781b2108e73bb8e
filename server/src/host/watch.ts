import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** A team that is checked in this minute, by one server. */
export interface WatchedTeam {
  teamId: Uuid;
  now: Date;
  /** Time of the first check since the last time without checks, which is no silence: no server ran. Null for no such time. */
  watchedSince: Date | null;
  /** Time of the last order before the silence that was told; null while orders come. */
  stoppedSince: Date | null;
  /** Writes that a silence since a team's last order was told, or with null that none is. */
  keepStopped: (since: Date | null) => Promise<void>;
}

/**
 * Finds the occurrences of an event that no request brings about, and records in the same transaction that they were told. No
 * other transaction does this for the team meanwhile.
 */
export type WatchRule = (tx: Sql, team: WatchedTeam) => Promise<object[]>;
