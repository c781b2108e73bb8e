import { createPlaceStatements } from '../../../../src/core/orders/merge/placeStatements.js';
import { createStoreReport } from '../../../../src/core/orders/store/storeReport.js';
import type { Sql } from '../../../../src/database/connection/connect.js';
import { findSecret } from '../../../../src/database/installation.js';
import type { RefusedFilter } from '../../../../src/features/refused/refusedReport.js';
import {
  type Replayed,
  type ReplayOptions,
  replayRefused,
} from '../../../../src/features/refused/replayRefused.js';
import { newUuid } from '../../../../src/values/ids.js';
import { extrasOf } from '../../../kit/listeners.js';
import { patient } from '../../../kit/server.js';

/** Replays kept reports as the command does. Resolves with their outcomes, in the order of arrival, and the number of those left. */
export async function replay(
  sql: Sql,
  team: string,
  filter: RefusedFilter = {},
  options: ReplayOptions = {},
): Promise<Replayed[] & { left: number }> {
  const { storeReport } = createStoreReport({ orders: [sql], work: sql }, patient.queue, {
    ...extrasOf(sql),
    place: createPlaceStatements(sql, extrasOf(sql).listeners),
  });
  const all: Replayed[] = [];
  const deps = { sql, secret: await findSecret(sql), storeReport };
  const left = await replayRefused(deps, team, filter, {
    ...options,
    onReplayed: (some) => void all.push(...some),
  });
  return Object.assign(all, { left });
}

/** Stores kept reports without requests, the newest first. Defaults are those of a page's order of 1 USD. */
export async function placeRefused(
  sql: Sql,
  team: string,
  count: number,
  reportOf: (n: number) => Record<string, unknown>,
): Promise<void> {
  const nowMs = Date.now();
  const rows = Array.from({ length: count }, (_, n) => ({
    team_id: team,
    id: newUuid(),
    identity: `made up ${n}`,
    reason: 'domain_not_allowed',
    field: '',
    body: '{}',
    is_cut: false,
    received_at: new Date(nowMs - 3_600_000),
    last_at: new Date(nowMs - n * 1000),
    times: 1,
    is_own: false,
    is_test: false,
    amount: 1,
    currency: 'USD',
    ...reportOf(n),
  }));
  await sql`
    insert into refused_report
    select * from json_populate_recordset(null::refused_report, ${JSON.stringify(rows)}::text::json)`;
}
