import type { Sql } from '../src/database/connection/connect.js';
import { findSecret } from '../src/database/installation.js';
import { createStoreReport } from '../src/orders/storeReport.js';
import type { RefusedFilter } from '../src/refused/refusedReport.js';
import { type Replayed, type ReplayOptions, replayRefused } from '../src/refused/replayRefused.js';
import { listRefused } from '../src/refused/sql/listRefused.js';
import { patient } from './server.js';

/** The kept reports of a team that need attention, newest first. */
export const waitingOf = (sql: Sql, team: string, filter: RefusedFilter = {}) =>
  listRefused(sql, team, { ...filter, limit: 100_000 });

/** Replays kept reports as the command does; gives what became of each, in the order of their coming, and how many it has not tried. */
export async function replay(
  sql: Sql,
  team: string,
  filter: RefusedFilter = {},
  options: ReplayOptions = {},
): Promise<Replayed[] & { left: number }> {
  const { storeReport } = createStoreReport({ orders: sql, work: sql }, patient.queue);
  const all: Replayed[] = [];
  const deps = { sql, secret: await findSecret(sql), storeReport };
  const left = await replayRefused(deps, team, filter, {
    ...options,
    onReplayed: (some) => void all.push(...some),
  });
  return Object.assign(all, { left });
}
