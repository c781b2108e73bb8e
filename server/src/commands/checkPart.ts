import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import type { Check } from './check.js';

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
