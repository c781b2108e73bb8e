import type { ChosenColumns } from '../compare/chooseColumns.js';
import type { IsInFile, RunStatement } from '../compare/compareOrders.js';
import type { FileOrder } from '../compare/fileOrders.js';
import {
  createStoreMissing,
  findDoubles,
  type MissingOrder,
  toMissingOrder,
} from '../compare/storeMissing.js';
import { readTime } from '../database/clock.js';
import { findSecret } from '../database/installation.js';
import type { CommandContext } from './command.js';
import { concurrentReports, createCommandReports } from './commandReports.js';
import type { ComparedLists } from './comparedLists.js';
import { type CommandIo, note } from './io.js';
import { createProgress } from './progress.js';

/** Stores the missing orders in batches. Resolves with their number. */
export async function storeListed(
  io: CommandIo,
  sql: CommandContext['sql'],
  world: { teamId: string; isTest: boolean },
  { lists, isInFile, columns }: { lists: ComparedLists; isInFile: IsInFile; columns: ChosenColumns },
): Promise<number> {
  const run: RunStatement = async (statement) => statement(sql);
  const secret = await findSecret(sql);
  const storeReport = createCommandReports(sql);
  const aheadMs = (await readTime(sql)) - performance.now();
  const deps = { run, secret, storeReport, nowMs: () => performance.now() + aheadMs };
  const store = await createStoreMissing(deps, world);
  const progress = createProgress(io, 'orders stored');
  let stored = 0;
  const refuse = ({ line, orderId }: FileOrder, message: string) =>
    lists.notStored.push({ line, orderId, message });

  async function storeBatch(batch: readonly FileOrder[]): Promise<void> {
    const ready: { order: FileOrder; missing: MissingOrder }[] = [];
    for (const order of batch) {
      const { order: missing, problem } = toMissingOrder(order, columns);
      if (missing) ready.push({ order, missing });
      else refuse(order, problem);
    }
    const asMissing = ready.map(({ missing }) => missing);
    const doubles = await findDoubles(deps, world, asMissing, isInFile);
    const outcomes = await Promise.all(
      ready.map(async ({ order, missing }, at) => ({
        order,
        reason: doubles[at] ?? (await store([missing]))[0]!,
      })),
    );
    for (const { order, reason } of outcomes) {
      if (reason === null) stored++;
      else refuse(order, reason);
    }
    progress.show(stored);
  }

  try {
    for (let at = 0; at < lists.missing.length; at += concurrentReports)
      await storeBatch(lists.missing.slice(at, at + concurrentReports));
  } catch (error) {
    note(io, `Interrupted after ${stored} stored orders. Run it again: it stores those that are left.`);
    throw error;
  }
  progress.end(stored);
  return stored;
}
