import type { Clock } from '../../database/clock.js';
import type { Sql } from '../../database/connection/connect.js';
import { inSavepoint, inTransaction } from '../../database/inTransaction.js';
import type { WatchedTeam, WatchRule } from '../../host/watch.js';
import type { Uuid } from '../../values/ids.js';
import { repeat } from '../../values/repeat.js';
import { minuteMs } from '../../values/time.js';
import type { HookEvent } from './hook.js';
import { enqueue } from './sql/enqueue.js';
import { claimWatch, listForgottenSilences, listWatchedTeams, updateWatch } from './sql/hookWatch.js';

/** Dependencies of the checks. */
export interface WatchDeps extends Pick<Clock, 'nowMs'> {
  /** Gets each failure of a check. */
  noteFault: (error: unknown) => void;
  /** Ends the checks of a server that stops. */
  signal?: AbortSignal;
}

/**
 * Checks all teams with a hook that gets these events, and enqueues what the rules find. A rule that fails
 * takes back what it wrote, and does not stop the other one; its check is made again in the next round. A team without such
 * a hook costs nothing.
 */
export async function watchTeams(
  sql: Sql,
  rules: Record<string, WatchRule>,
  { nowMs, noteFault, signal }: WatchDeps,
): Promise<void> {
  // A hook that comes later gets a silence that lasts, and not the end of one that it never got.
  for (const { teamId } of await listForgottenSilences(sql))
    await updateWatch(sql, teamId, null).catch(noteFault);
  const watched = await listWatchedTeams(sql, Object.keys(rules) as HookEvent[]);
  for (const { teamId, events } of watched) {
    if (signal?.aborted) return;
    await inTransaction(sql, (tx) => watchTeam(tx, teamId, events)).catch(noteFault);
  }

  async function watchTeam(tx: Sql, teamId: Uuid, events: readonly HookEvent[]): Promise<void> {
    const now = new Date(nowMs());
    const watch = await claimWatch(tx, teamId, now);
    if (!watch) return;
    for (const event of events)
      await inSavepoint(tx, (inner) => {
        const keepStopped = (since: Date | null) => updateWatch(inner, teamId, since);
        return check(inner, event, { ...watch, teamId, now, keepStopped });
      }).catch(noteFault);
  }

  async function check(tx: Sql, event: HookEvent, team: WatchedTeam): Promise<void> {
    const found = await rules[event]!(tx, team);
    if (found.length === 0) return;
    await enqueue(tx, team.teamId, event, () =>
      found.map((data) => ({ subjectId: null, data, isTest: false })),
    );
  }
}

/** Checks all teams now and each minute. Returns a function that stops this. */
export function startWatching(
  sql: Sql,
  rules: Record<string, WatchRule>,
  { nowMs, noteFault }: Omit<WatchDeps, 'signal'>,
): () => Promise<void> {
  const check = (signal: AbortSignal) => watchTeams(sql, rules, { nowMs, noteFault, signal });
  return repeat(minuteMs, check, { onFault: noteFault, firstMs: 0 });
}
