import { type AskAllTeams, askTogether } from '../../database/askAllTeams.js';
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

/** Dependencies of `watchTeams`. */
export interface WatchDeps extends Pick<Clock, 'nowMs'> {
  askAllTeams?: AskAllTeams;
  /** Called with each failure of a check. */
  noteFault: (error: unknown) => void;
  /** Aborts the checks of a server that stops. */
  signal?: AbortSignal;
}

/**
 * Checks all teams with a hook for these events, and enqueues what the rules find. A rule that fails is rolled back,
 * and the others still run. It is checked again in the next round. A team without such a hook costs nothing.
 */
export async function watchTeams(
  sql: Sql,
  rules: Record<string, WatchRule>,
  { askAllTeams = askTogether, nowMs, noteFault, signal }: WatchDeps,
): Promise<void> {
  // A hook that is added later gets a silence that lasts, but not the end of one that it never got.
  const forgotten = await askAllTeams((ofTeams) => listForgottenSilences(sql, ofTeams));
  for (const { teamId } of forgotten.rows) await updateWatch(sql, teamId, null).catch(noteFault);
  const events = Object.keys(rules) as HookEvent[];
  const watched = await askAllTeams((ofTeams) => listWatchedTeams(sql, events, ofTeams));
  for (const { teamId, events } of watched.rows) {
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

/** Starts to check all teams now and each minute. Returns a function that stops this. */
export function startWatching(
  sql: Sql,
  rules: Record<string, WatchRule>,
  deps: Omit<WatchDeps, 'signal'>,
): () => Promise<void> {
  const check = (signal: AbortSignal) => watchTeams(sql, rules, { ...deps, signal });
  return repeat(minuteMs, check, { onFault: deps.noteFault, firstMs: 0 });
}
