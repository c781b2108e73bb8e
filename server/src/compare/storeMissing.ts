import { readReport } from '../orders/readReport.js';
import { type CheckedReport, stampReport } from '../orders/stampReport.js';
import type { StoreReport } from '../orders/storeReport.js';
import { requireSilentKey } from '../teams/silentKey.js';
import { readEmail } from '../values/email.js';
import { ApiError } from '../values/errors.js';
import { encodeId, personUuid, type Uuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import type { ChosenColumns } from './chooseColumns.js';
import { findLookalikes } from './comparedOrders.js';
import type { ComparedWorld, IsInFile, RunStatement } from './compareOrders.js';
import type { FileOrder } from './fileOrders.js';

/** An order of a file that has all that an order needs. */
export interface MissingOrder
  extends Pick<FileOrder, 'orderId' | 'paymentId' | 'name' | 'createdMs' | 'source'> {
  /** Exact plain decimal. */
  amount: string;
  currency: string;
  email: string;
}

/** Makes an order of a file ready to be stored, or says what it lacks. */
export function toMissingOrder(
  { orderId, paymentId, name, createdMs, source, amount, currency, email }: FileOrder,
  { format, places }: ChosenColumns,
): { order: MissingOrder; problem?: never } | { order?: never; problem: string } {
  const code = currency ?? (format?.isOurs ? 'USD' : null);
  if (email === null) return { problem: 'has no email' };
  if (amount === null) return { problem: 'has no amount' };
  if (code === null) return { problem: 'has no currency' };
  if (createdMs === null && places.createdAt.length > 0) return { problem: 'has no date' };
  return { order: { orderId, paymentId, name, createdMs, source, amount, currency: code, email } };
}

/** Dependencies of storing a file's orders. */
export interface StoreMissingDeps {
  run: RunStatement;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  storeReport: StoreReport;
  /** The database's time, in milliseconds. */
  nowMs: () => number;
}

/**
 * Makes the function that stores orders of a file as reports with a key: at their own dates, those without a date now. Each
 * is stored once, however often it is tried, because its order id or payment finds it. Resolves with null for each order
 * that is stored, or with the reason why it is not.
 * Rejects with `unavailable` or the database's failure; what was stored by then is stored.
 */
export async function createStoreMissing(
  { run, secret, storeReport, nowMs }: StoreMissingDeps,
  { teamId, isTest }: ComparedWorld,
): Promise<(orders: readonly MissingOrder[]) => Promise<(string | null)[]>> {
  const keyHash = await run((sql) => requireSilentKey(sql, teamId, isTest ? 'test' : 'live', secret));
  return (orders) => Promise.all(orders.map(storeOne));

  async function storeOne(order: MissingOrder): Promise<string | null> {
    try {
      await storeReport(teamId, toReport(order));
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error.message;
      throw error;
    }
  }

  function toReport({ name, createdMs, paymentId, amount, ...rest }: MissingOrder): CheckedReport {
    const optional = name === null ? {} : { name };
    const body = { teamId: encodeId('team', teamId), amount: Number(amount), ...rest, ...optional };
    const parsed = readReport(body, false);
    if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
    const idMs = Math.floor(nowMs());
    const createdAt = new Date(Math.min(createdMs ?? idMs, idMs)).toISOString();
    const sender = { teamId, keyHash, host: null, idempotencyKey: paymentId ?? undefined, createdAt, idMs };
    return stampReport(parsed, sender, secret);
  }
}

/**
 * Finds the orders that are probably stored already under another id: the same buyer, amount and time, and an id that the
 * file does not have. To store them would count them twice. Resolves with a reason for each, or null.
 */
export async function findDoubles(
  { run, secret }: Pick<StoreMissingDeps, 'run' | 'secret'>,
  { teamId, isTest }: ComparedWorld,
  orders: readonly MissingOrder[],
  isInFile: IsInFile,
): Promise<(string | null)[]> {
  const reasons: (string | null)[] = orders.map(() => null);
  const wanted = orders.flatMap(({ email, amount, currency, createdMs }, at) => {
    const read = readEmail(email);
    if (read === null) return [];
    const createdAt = createdMs === null ? null : new Date(createdMs).toISOString();
    return [{ at, row: { personId: personOf(read), amount, currency, createdAt } }];
  });
  if (wanted.length === 0) return reasons;
  const rows = await run((sql) =>
    findLookalikes(
      sql,
      teamId,
      isTest,
      wanted.map(({ row }) => row),
    ),
  );
  for (const here of rows) {
    if (isInFile(here)) continue;
    const id = here.orderId === null ? 'without an order id' : `as "${here.orderId}"`;
    reasons[wanted[here.place]!.at] =
      `is probably stored ${id} (${here.orderNumber}): the same buyer, amount and day`;
  }
  return reasons;

  function personOf(email: string): Uuid {
    return personUuid(secret, teamId, email);
  }
}
