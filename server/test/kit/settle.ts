import { settleTeam } from '../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../src/core/orders/merge/placeStatements.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { listenersOf } from './listeners.js';

/** Gives the orders of a team what waits for them, as a server does in the background. */
export const settle = (sql: Sql, team: string): Promise<void> =>
  settleTeam(sql, createPlaceStatements(sql, listenersOf(sql)), team);
