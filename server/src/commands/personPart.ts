import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';

/** A feature's access to what it keeps of people by their email. All functions are optional. */
export interface PersonPart {
  /** Key of the feature's data in the output of `person erase` and `person export`. */
  name: string;
  /** Noun for what `erase` counts, in the plural. Default: `name`. */
  noun?: string;
  /**
   * Removes data that could still become an order of the person. It is called before the orders are erased, and again until the
   * person is gone. Resolves with the number of removed rows.
   */
  erase?(sql: Sql, teamId: Uuid, email: string): Promise<number>;
  /** Erases each mention of the email, after all else is erased. Resolves with the number of mentions. */
  forget?(sql: Sql, teamId: Uuid, email: string): Promise<number>;
  /** Reads the feature's data of the email, as it is printed. */
  export?(sql: Sql, teamId: Uuid, email: string): Promise<readonly object[]>;
}
