import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  type Extras,
  type ExtrasOf,
  teamSubcommand,
  UsageError,
  withTeam,
} from '../../../commands/command.js';
import { createCommandReports } from '../../../commands/commandReports.js';
import type { CommandIo } from '../../../commands/io.js';
import { table } from '../../../commands/table.js';
import { recordFound } from '../../../core/orders/store/sql/foundOrder.js';
import { startClock } from '../../../database/clock.js';
import type { Sql } from '../../../database/connection/connect.js';
import { findSecret } from '../../../database/installation.js';
import { command } from '../../../values/command.js';
import { encodeId } from '../../../values/ids.js';
import { createRefusedKeeper } from '../../refused/keepRefused.js';
import { refusedBounds } from '../../refused/refusedReport.js';
import { createSendToShop } from '../ask/sendToShop.js';
import { describeAsked, type SyncDeps, syncSource } from '../ask/syncSource.js';
import { createStoreEvent } from '../receive/storeEvent.js';
import { claimSync, listSources, recordSync } from '../sql/source.js';
import { requireSource } from './sourceOptions.js';

/** Adds the command `orderbeacon source sync`. */
export function addSourceSync(source: Command, io: CommandIo, extrasOf: ExtrasOf): void {
  teamSubcommand(
    source,
    'sync',
    'Asks shops for what changed in the last 30 days, and stores what no webhook brought. Exit 1 when a shop did not answer.',
    'source sync --team team_…',
  )
    .argument('[ids...]', 'ids src_… from source list; default: all sources with an API key')
    .action(
      withTeam<object, [string[]]>(io, async ({ sql, team }, options, ids) => {
        const named = await Promise.all(
          ids.map((id) => requireSource({ sql }, { team, teamId: options.team }, id)),
        );
        const all = ids.length > 0 ? named : await listSources(sql, team.id);
        const sources = all.filter(({ apiKey }) => apiKey !== null);
        if (sources.length === 0 || (ids.length > 0 && sources.length < ids.length))
          throw new UsageError(
            `No key of a shop’s API is known. Add it: ${command} source update --team ${options.team} src_… --api-key-file FILE`,
          );
        const synced = await withSyncDeps(sql, extrasOf(sql), async (deps) => {
          const results: Record<string, unknown>[] = [];
          for (const each of sources) {
            const claimed = await claimSync(sql, team.id, each.id, null);
            // It was removed since it was listed.
            if (!claimed) continue;
            const result = await syncSource(claimed, null, deps);
            await recordSync(sql, claimed, result);
            results.push({
              id: encodeId('src', each.id),
              kind: each.kind,
              ...result,
              result: describeAsked(each.kind, result),
            });
          }
          return results;
        });
        if (synced.some(({ fault }) => fault !== null)) io.exitCode = 1;
        const rows = synced.map(({ id, kind, result }) => [id, kind, result] as string[]);
        return { json: synced, text: table(['ID', 'KIND', 'RESULT'], rows) };
      }),
    );
}

/** Runs an action with the dependencies of a sync. Afterwards waits until the refused reports are stored. */
async function withSyncDeps<Result>(
  sql: Sql,
  extras: Extras,
  action: (deps: SyncDeps) => Promise<Result>,
): Promise<Result> {
  const clock = await startClock(sql);
  const keeper = createRefusedKeeper(sql, () => {}, refusedBounds, clock);
  const storeEvent = createStoreEvent({
    secret: await findSecret(sql),
    clock,
    ...createCommandReports(sql, extras),
    keepRefused: keeper.keep,
  });
  try {
    const pause = async (ms: number) => void (await delay(ms));
    return await action({
      storeEvent,
      recordFound: (teamId, id) => recordFound(sql, teamId, [id]),
      send: createSendToShop(),
      pause,
      nowMs: clock.nowMs,
    });
  } finally {
    clock.stop();
    await keeper.stop();
  }
}
