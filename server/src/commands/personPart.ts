import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** What a feature keeps of people by their email, beside orders and subscriptions. All members but the name are optional. */
export interface PersonPart {
  /** The key of what it has in the output of `person erase` and `person export`. */
  name: string;
  /** What `erase` counts, in the plural; the name if left out. */
  noun?: string;
  /**
   * Removes what could still become an order of the person. Is called before the orders are erased, and again after that until
   * there is no person. Resolves with the number of removed ones.
   */
  erase?(sql: Sql, teamId: Uuid, email: string): Promise<number>;
  /** Erases what mentions the email, once all else is erased. Resolves with the number of places. */
  forget?(sql: Sql, teamId: Uuid, email: string): Promise<number>;
  /** Reads what it has, as it is printed. */
  export?(sql: Sql, teamId: Uuid, email: string): Promise<readonly object[]>;
}
