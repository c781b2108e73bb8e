import { readReport } from '../orders/readReport.js';
import { type CheckedReport, stampReport } from '../orders/stampReport.js';
import type { StoreReport } from '../orders/storeReport.js';
import { requireSilentKey } from '../teams/issueKey.js';
import { readEmail } from '../values/email.js';
import { ApiError } from '../values/errors.js';
import { encodeId, personUuid } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { madeUpEmail } from '../values/madeUpEmail.js';
import type { ChosenColumns } from './chooseColumns.js';
import { findLookalikes, type Lookalike } from './comparedOrders.js';
import type { ComparedWorld, IsInFile, RunStatement } from './compareOrders.js';
import type { FileOrder } from './readRow.js';

/** Dependencies of storing a file's orders. */
export interface StoreMissingDeps {
  run: RunStatement;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  storeReport: StoreReport;
  /** The database's time, in milliseconds. */
  nowMs: () => number;
}

/** The file that the orders are of. */
export interface ComparedFile {
  columns: ChosenColumns;
  isInFile: IsInFile;
}

/** Says what an order of a file lacks to be stored; null for nothing. */
export function lackOf({ amount, currency, createdMs }: FileOrder, columns: ChosenColumns): string | null {
  if (amount === null) return 'has no amount';
  if (currencyOf(currency, columns) === null) return 'has no currency';
  return createdMs === null && columns.at.createdAt.length > 0 ? 'has no date' : null;
}

/**
 * Makes the function that stores orders of a file as reports with a key: at their own dates, those without a date now. Each
 * is stored once, however often it is tried, because its order id or payment finds it. One without an email, as of a till, gets a
 * made-up address. Resolves with null for each order
 * that is stored, or with the reason why it is not.
 * Rejects with `unavailable` or the database's failure; what was stored by then is stored.
 */
export async function createStoreMissing(
  { run, secret, storeReport, nowMs }: StoreMissingDeps,
  { teamId, isTest }: ComparedWorld,
  { columns, isInFile }: ComparedFile,
): Promise<(orders: readonly FileOrder[]) => Promise<(string | null)[]>> {
  const keyHash = await run((sql) => requireSilentKey(sql, teamId, isTest ? 'test' : 'live', secret));

  return async function storeMissing(orders) {
    const reasons = orders.map((order) => lackOf(order, columns));
    for (const [index, reason] of await findDoubles(orders)) reasons[index] ??= reason;
    return Promise.all(orders.map((order, index) => reasons[index] ?? storeOne(order)));
  };

  async function storeOne(order: FileOrder): Promise<string | null> {
    try {
      await storeReport(teamId, toReport(order));
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error.message;
      throw error;
    }
  }

  function toReport({
    orderId,
    name,
    keys,
    amount,
    currency,
    email,
    source,
    createdMs,
  }: FileOrder): CheckedReport {
    const parsed = readReport(
      {
        teamId: encodeId('team', teamId),
        amount: Number(amount),
        currency: currencyOf(currency, columns),
        email: email ?? madeUpEmail('file', orderId),
        ...(source !== null && { source }),
        // A provider's own id is a key beside the shop's id, which a later report may bring.
        ...(!keys.includes(orderId) && { orderId }),
        ...(name !== null && { name }),
      },
      false,
    );
    if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
    const idMs = Math.floor(nowMs());
    const createdAt = new Date(Math.min(createdMs ?? idMs, idMs)).toISOString();
    const sender = { teamId, keyHash, host: null, idempotencyKey: undefined, keys, createdAt, idMs };
    return stampReport(parsed, sender, secret);
  }

  /**
   * Finds the orders that are probably stored already under another id: the same buyer, amount and time, and an id that the
   * file does not have. To store them would count them twice. Resolves with their indexes, and a reason for each.
   */
  async function findDoubles(orders: readonly FileOrder[]): Promise<[index: number, reason: string][]> {
    const wanted = orders.flatMap((order, index): Lookalike[] => {
      const { amount, createdMs } = order;
      const email = readEmail(order.email ?? '');
      const currency = currencyOf(order.currency, columns);
      if (email === null || amount === null || currency === null) return [];
      const createdAt = createdMs === null ? null : new Date(createdMs).toISOString();
      return [{ index, personId: personUuid(secret, teamId, email), amount, currency, createdAt }];
    });
    if (wanted.length === 0) return [];
    const found = await run((sql) => findLookalikes(sql, teamId, isTest, wanted));
    return found
      .filter((here) => !isInFile(here))
      .map(({ index, orderId, orderNumber }) => {
        const id = orderId === null ? 'without an order id' : `as "${orderId}"`;
        return [index, `is probably stored ${id} (${orderNumber}): the same buyer, amount and day`];
      });
  }
}

/** The currency of an order, or that of all orders of an export. */
function currencyOf(currency: string | null, { format }: ChosenColumns): string | null {
  return currency ?? format?.currency ?? null;
}
