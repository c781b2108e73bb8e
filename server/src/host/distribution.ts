import type { Listeners } from '../core/listener.js';
import type { StoreReports } from '../core/orders/store/storeReport.js';
import type { Sql } from '../database/connection/connect.js';
import type { MigrationOptions } from '../database/migrate.js';
import type { TryStoring } from '../database/tryStoring.js';

/** Other forms of what the core does, for tables that lie on several nodes. */
export interface Distribution {
  /** The statement that stores new orders, in the form that the tables need. */
  reports(sql: Sql, listeners: Listeners): StoreReports;
  tryStoring(sql: Sql): TryStoring;
  /** Called after migrations, also where none was applied. */
  migrated(sql: Sql, options: MigrationOptions): Promise<unknown>;
  /** Distributes the tables by team, for `migrate --distribute`. Resolves with those that were not yet. */
  distribute(sql: Sql, notify: (line: string) => void): Promise<readonly string[]>;
  /** What `--help` says of it. */
  distributeHelp: string;
  /** True where they do. */
  isDistributed(sql: Sql): Promise<boolean>;
}
