import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** Result of one check. */
export interface Check {
  /** Name of the check: a word or two, the same in every release. */
  check: string;
  ok: boolean;
  /** The finding. */
  message: string;
  /** The remedy. If the finding may be intended: what to do if it is not. Null if nothing is wrong. */
  fix: string | null;
}

/** Returns the result of a check that found nothing wrong. */
export function pass(check: string, message: string): Check {
  return { check, ok: true, message, fix: null };
}

/** Returns the result of a check whose finding may be intended. `fix` is for the case that it is not. */
export function note(check: string, message: string, fix: string): Check {
  return { check, ok: true, message, fix };
}

/** Returns the result of a check that found a fault, with its fix. */
export function fail(check: string, message: string, fix: string): Check {
  return { check, ok: false, message, fix };
}

/** Input of the checks of `doctor`. */
export interface Asked {
  /** The database; undefined if it cannot be read. */
  sql: Sql | undefined;
  /** The server's own URL; null if unknown. */
  publicUrl: string | null;
  /** The team of `--team`, `team_…`; null if it was not given. */
  teamId: string | null;
  /** The URL of a page; undefined if it was not given. */
  pageUrl: string | undefined;
}

/** Checks and senders that a feature adds to `doctor`. */
export interface CheckPart {
  /** Lists a team's senders of orders other than its API keys and domains. */
  senders?(sql: Sql, teamId: Uuid): Promise<readonly { isTest: boolean }[]>;
  /** Runs the feature's checks. Resolves with an empty list if the input asks for none of them. */
  checks?(asked: Asked): Promise<Check[]>;
}
