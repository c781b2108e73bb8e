import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import { createSemaphore } from '../values/semaphore.js';

/** Runs a statement of the console when a connection is free. Rejects with `Overloaded` when too many wait. */
export type Ask = <Result>(statement: (sql: Sql) => PromiseLike<Result>) => Promise<Result>;

/** Each waiting statement is a page that a person waits for. */
const waiting = 100;

/** The answer to a page that finds too many others waiting. */
export const tooManyPages = 'Too many pages of the console are being read; try again.';

/** Limits what the console asks of its database: two concurrent statements, and 100 more that wait. */
export function createAsk(sql: Sql): Ask {
  const { run } = createSemaphore({ concurrent: statementsOf.console, waiting, message: tooManyPages });
  return (statement) => run(() => statement(sql));
}
