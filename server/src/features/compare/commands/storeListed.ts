import type { CommandContext, Extras } from '../../../commands/command.js';
import { concurrentReports, createCommandReports } from '../../../commands/commandReports.js';
import { type CommandIo, createProgress, note } from '../../../commands/io.js';
import { readTime } from '../../../database/clock.js';
import { findSecret } from '../../../database/installation.js';
import { newUuid } from '../../../values/ids.js';
import type { ComparedMode } from '../compare/compareOrders.js';
import type { ComparedFile } from '../store/findDoubles.js';
import { createStoreMissing } from '../store/storeMissing.js';
import type { ComparedLists } from './printComparison.js';

/** Stores the missing orders in batches. Resolves with the number of stored ones. */
export async function storeListed(
  io: CommandIo,
  sql: CommandContext['sql'],
  mode: ComparedMode,
  { lists, ...file }: ComparedFile & { lists: ComparedLists },
  extras: Extras,
): Promise<number> {
  const secret = await findSecret(sql);
  const { inTurn, storeReport, place } = createCommandReports(sql, extras);
  const aheadMs = (await readTime(sql)) - performance.now();
  const deps = {
    inTurn,
    secret,
    storeReport,
    place,
    press: newUuid(),
    nowMs: () => performance.now() + aheadMs,
  };
  const storeMissing = await createStoreMissing(deps, mode, file);
  const progress = createProgress(io, 'orders stored');
  let stored = 0;
  try {
    for (let first = 0; first < lists.missing.length; first += concurrentReports) {
      const batch = lists.missing.slice(first, first + concurrentReports);
      for (const [index, reason] of (await storeMissing(batch)).entries()) {
        const { line, orderId } = batch[index]!;
        if (reason === null) stored++;
        else {
          const hint = reason.isGuess ? '. If it is another order, add --as-new.' : '';
          lists.notStored.push({ line, orderId, message: reason.message + hint });
        }
      }
      progress.show(stored);
    }
  } catch (error) {
    note(io, `Interrupted after ${stored} stored orders. Run it again: it stores those that are left.`);
    throw error;
  }
  progress.end(stored);
  return stored;
}
