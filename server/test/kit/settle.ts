import { settleTeam } from '../../src/core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../../src/core/orders/merge/placeStatements.js';
import { listMeantOfLate, placeAll } from '../../src/core/orders/merge/waiting.js';
import type { Sql } from '../../src/database/connection/connect.js';
import { listenersOf } from './listeners.js';

/** Places all statements of a team's orders again, as a server does in the background. */
export async function settle(sql: Sql, team: string): Promise<void> {
  const place = createPlaceStatements(sql, listenersOf(sql));
  await placeAll(place, team, await listMeantOfLate(sql, team));
  await settleTeam(sql, place, team);
}
