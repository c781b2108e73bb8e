import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import { createTurns, type InTurn } from '../database/turns.js';

/** Group of requests whose session is not known yet. */
export const anonymous = 'anonymous';

/** Statements of one team that can wait. An overview has 12: 80 people of a team can open it in the same second. */
const waitingOfTeam = 1_000;

/** Limits of waiting statements of the console. */
export const waitBounds = {
  // No team can use up the queue of all. Each waiting statement takes some 500 bytes.
  rowsWaiting: 5 * waitingOfTeam,
  rowsWaitingOfGroup: waitingOfTeam,
  waitAtMostMs: 10_000,
};

/** Message of the refusal if too many statements wait. */
export const tooManyPages = 'Too many pages of the console are being read; try again.';

/** Creates the limit on the console's statements in the database. One team can run one fewer than all teams together. */
export function createConsoleTurns(sql: Sql): InTurn {
  const limits = { concurrent: statementsOf.console, leftToOthers: 1, tooManyWait: tooManyPages };
  return createTurns(sql, waitBounds, limits).inTurn;
}
