import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import type { Uuid } from '../values/ids.js';
import { createSemaphore } from '../values/semaphore.js';

/**
 * Runs a statement of the console for a team when a connection is free; teams that wait take turns. Rejects with
 * `Overloaded` when too many statements of the team, or of all, wait, or when it has waited for 10 s.
 */
export type Ask = <Result>(
  teamId: Uuid | typeof anonymous,
  statement: (sql: Sql) => PromiseLike<Result>,
) => Promise<Result>;

/** The turn of requests whose session is not known yet. */
export const anonymous = 'anonymous';

/** An overview asks for 12 statements: 80 people of a team can open it in the same second. */
const waitingOfTeam = 1_000;
/** So that one team can never take the places of the others. Each takes some 500 bytes. */
export const waiting = 5 * waitingOfTeam;
export const waitAtMostMs = 10_000;

/** The answer to a page that finds too many others waiting. */
export const tooManyPages = 'Too many pages of the console are being read; try again.';

/** Limits what the console asks of its database: one statement fewer of a team than of all, and 1,000 more of it that wait. */
export function createAsk(sql: Sql): Ask {
  const { run } = createSemaphore({
    concurrent: statementsOf.console,
    concurrentPerKey: statementsOf.console - 1,
    waiting,
    waitingPerKey: waitingOfTeam,
    waitAtMostMs,
    message: tooManyPages,
  });
  return (teamId, statement) => run(() => statement(sql), teamId);
}
