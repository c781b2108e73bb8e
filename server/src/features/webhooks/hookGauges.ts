import { Gauge, type Registry } from 'prom-client';
import type { AskAllTeams, OfTeams } from '../../database/askAllTeams.js';
import type { Sql } from '../../database/connection/connect.js';
import { shareQuery } from '../../monitoring/shareQuery.js';

/** Time that a read waits for the database. A scrape of Prometheus has 10 s. */
const waitMs = 1_000;

const prefix = 'orderbeacon_';

/**
 * Adds metrics of hooks: webhooks that are off, waiting deliveries, and teams whose orders have stopped.
 *
 * They count all teams, except those on a node that cannot be reached. A read asks the database for at most a second.
 * Concurrent reads share one query.
 */
export function addHookGauges(sql: Sql, askAllTeams: AskAllTeams, registry: Registry): void {
  const read = shareQuery(ask, waitMs);
  const collect = async () => void (await read());
  const off = new Gauge({
    registers: [registry],
    name: `${prefix}hooks_disabled`,
    help: 'Webhooks of all teams that are off: by failures, because they failed for days or answered 410, or by a person.',
    labelNames: ['by'],
    collect,
  });
  const pending = new Gauge({
    registers: [registry],
    name: `${prefix}hook_deliveries_pending`,
    help: 'Deliveries of all teams that wait for their next attempt, those of webhooks that are off left out.',
    collect,
  });
  const silent = new Gauge({
    registers: [registry],
    name: `${prefix}silent_teams`,
    help: 'Teams whose orders have stopped for longer than their own hours explain, of those with a webhook that is told of it.',
    collect,
  });

  async function ask(): Promise<void> {
    const counts = await askAllTeams((ofTeams) => countHooks(sql, ofTeams)).catch(() => null);
    // The database did not answer. The last known numbers stay, and `database_up` is 0.
    if (counts === null) return;
    const sum = (name: keyof HookCounts) => counts.rows.reduce((sum, counted) => sum + counted[name], 0);
    off.set({ by: 'failures' }, sum('offByFailures'));
    off.set({ by: 'person' }, sum('offByPerson'));
    pending.set(sum('pending'));
    silent.set(sum('silentTeams'));
  }
}

interface HookCounts {
  offByFailures: number;
  offByPerson: number;
  pending: number;
  silentTeams: number;
}

/** Counts the hooks that are off, the waiting deliveries, and the teams whose orders have stopped. */
async function countHooks(sql: Sql, ofTeams: OfTeams): Promise<[HookCounts]> {
  const [off] = await sql<[{ offByFailures: number; offByPerson: number }]>`/* countHooksOff */
    select count(disabled_reason)::int as "offByFailures",
      (count(*) - count(disabled_reason))::int as "offByPerson"
    from hook where ${ofTeams(sql, 'team_id')} and disabled_at is not null and removed_at is null`;
  const [{ pending }] = await sql<[{ pending: number }]>`/* countPendingDeliveries */
    select count(*)::int as pending
    from hook join hook_delivery on hook_delivery.team_id = hook.team_id and hook_delivery.hook_id = hook.id
    where ${ofTeams(sql, 'hook.team_id')} and ${ofTeams(sql, 'hook_delivery.team_id')}
      and hook.disabled_at is null and hook_delivery.next_at is not null`;
  const [{ silentTeams }] = await sql<[{ silentTeams: number }]>`/* countSilentTeams */
    select count(*)::int as "silentTeams" from hook_watch
    where ${ofTeams(sql, 'hook_watch.team_id')} and stopped_since is not null and exists (
      select from hook
      where ${ofTeams(sql, 'hook.team_id')} and hook.team_id = hook_watch.team_id and disabled_at is null and not is_test and 'orders.stopped' = any(events)
    )`;
  return [{ ...off, pending, silentTeams }];
}
