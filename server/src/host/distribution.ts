import type { Listeners } from '../core/listener.js';
import type { StoreReports } from '../core/orders/store/storeReport.js';
import type { AskAllTeams } from '../database/askAllTeams.js';
import type { Sql } from '../database/connection/connect.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { TryStoring } from '../database/tryStoring.js';

/** Replacements for functions of the core, for tables that are distributed over several nodes. */
export interface Distribution {
  /** Creates the function that stores new orders, in the form that the tables need. */
  reports(sql: Sql, listeners: Listeners): StoreReports;
  tryStoring(sql: Sql): TryStoring;
  /** Creates a function that asks the nodes one by one while a node is down. Called once per server. */
  askAllTeams(sql: Sql, noteFault: (error: unknown) => void): AskAllTeams;
  /** Called after migrations, even if none was applied. */
  migrated(sql: Sql, options: MigrationOptions): Promise<unknown>;
  /** Distributes the tables by team, for `migrate --distribute`. Resolves with the tables that were not distributed before. */
  distribute(sql: Sql, notify: (line: string) => void): Promise<readonly string[]>;
  /** The description of `--distribute` in `--help`. */
  distributeHelp: string;
  /** Resolves with true if the tables are distributed. */
  isDistributed(sql: Sql): Promise<boolean>;
}
