import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** Result of one check. */
export interface Check {
  /** Name of the check: a word or two, the same in every release. */
  check: string;
  ok: boolean;
  /** The finding. */
  message: string;
  /** The remedy, or of a finding that may be meant what to do if it is not; null if nothing is wrong. */
  fix: string | null;
}

/** Makes the outcome of a check that found nothing wrong. */
export function pass(check: string, message: string): Check {
  return { check, ok: true, message, fix: null };
}

/** Makes the outcome of a check that found what may be meant, with what to do if it is not. */
export function note(check: string, message: string, fix: string): Check {
  return { check, ok: true, message, fix };
}

/** Makes the outcome of a check that found a fault, with its fix. */
export function fail(check: string, message: string, fix: string): Check {
  return { check, ok: false, message, fix };
}

/** What `doctor` is asked to look at. */
export interface Asked {
  /** Undefined where no database can be read. */
  sql: Sql | undefined;
  /** The server's own URL; null when it is not known. */
  publicUrl: string | null;
  /** The team of `--team`, `team_…`; null without one. */
  teamId: string | null;
  /** The URL of a page; undefined without one. */
  pageUrl: string | undefined;
}

/** What a feature adds to `doctor`. */
export interface CheckPart {
  /** Lists who else reports a team's orders, beside its keys and domains. */
  senders?(sql: Sql, teamId: Uuid): Promise<readonly { isTest: boolean }[]>;
  /** Checks what the feature knows of; nothing where it was not asked for. */
  checks?(asked: Asked): Promise<Check[]>;
}
