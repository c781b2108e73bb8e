import type { ChosenColumns } from '../compare/chooseColumns.js';
import type { IsInFile, RunStatement } from '../compare/compareOrders.js';
import type { FileOrder } from '../compare/fileOrders.js';
import { createStoreMissing, findDoubles, toMissingOrder } from '../compare/storeMissing.js';
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
    lists.notStored.add({ line, orderId, message });

  async function storeBatch(batch: readonly FileOrder[]): Promise<void> {
    const ready = [];
    for (const order of batch) {
      const { order: missing, problem } = toMissingOrder(order, columns);
      if (missing) ready.push({ order, missing });
      else await refuse(order, problem);
    }
    const missing = ready.map((each) => each.missing);
    const doubles = await findDoubles(deps, world, missing, isInFile);
    const outcomes = await store(missing.filter((_, at) => doubles[at] === null));
    for (const [at, { order }] of ready.entries()) {
      const reason = doubles[at] ?? outcomes.shift() ?? null;
      if (reason !== null) await refuse(order, reason);
      else stored++;
    }
    progress.show(stored);
  }

  try {
    let batch: FileOrder[] = [];
    for await (const order of lists.missing.read()) {
      batch.push(order);
      if (batch.length < concurrentReports) continue;
      await storeBatch(batch);
      batch = [];
    }
    await storeBatch(batch);
  } catch (error) {
    note(io, `Interrupted after ${stored} stored orders. Run it again: it stores those that are left.`);
    throw error;
  }
  progress.end(stored);
  return stored;
}
