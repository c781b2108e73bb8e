import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import { createTurns, type InTurn } from '../database/turns.js';

/** The group of requests whose session is not known yet. */
export const anonymous = 'anonymous';

/** An overview asks for 12 statements: 80 people of a team can open it in the same second. */
const waitingOfTeam = 1_000;

/** Limits of the console's statements that wait. */
export const waitBounds = {
  // So that one team can never take the places of the others. Each takes some 500 bytes.
  rowsWaiting: 5 * waitingOfTeam,
  rowsWaitingOfGroup: waitingOfTeam,
  waitAtMostMs: 10_000,
};

/** The answer to a page that finds too many others waiting. */
export const tooManyPages = 'Too many pages of the console are being read; try again.';

/** Limits what the console asks of its database: one statement fewer of a team than of all. */
export function createConsoleTurns(sql: Sql): InTurn {
  const limits = { concurrent: statementsOf.console, leftToOthers: 1, tooManyWait: tooManyPages };
  return createTurns(sql, waitBounds, limits).inTurn;
}
