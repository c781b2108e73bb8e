import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** A team that one server checks in this minute. */
export interface WatchedTeam {
  teamId: Uuid;
  now: Date;
  /** Time of the first check since checks last paused; null if they never paused. A pause is no silence, because no server ran. */
  watchedSince: Date | null;
  /** Time of the last order before the silence that hooks were notified of; null while orders arrive. */
  stoppedSince: Date | null;
  /** Stores that hooks were notified of a silence since a team's last order; null stores that the silence has ended. */
  keepStopped: (since: Date | null) => Promise<void>;
}

/**
 * Finds the occurrences of an event that no request causes. Records in the same transaction that hooks are notified of them. No
 * other transaction does this for the team concurrently.
 */
export type WatchRule = (tx: Sql, team: WatchedTeam) => Promise<object[]>;
