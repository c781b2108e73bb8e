import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import { lockPlaces } from './sql/keepRefused.js';
import { addRefusalCounts, findTeamWithHours, takeHours } from './sql/refusalCount.js';

/** Adds up counts by hour, which a server of release 0.2.0 wrote, to counts by day; 2,000 in each transaction. */
export async function rollHours(sql: Sql): Promise<void> {
  for (let teamId = await findTeamWithHours(sql); teamId; teamId = await findTeamWithHours(sql)) {
    const ofTeam = teamId;
    await inTransaction(sql, async (tx) => {
      await lockPlaces(tx, ofTeam);
      await addRefusalCounts(tx, ofTeam, await takeHours(tx, ofTeam));
    });
  }
}
