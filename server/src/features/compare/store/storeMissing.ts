import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import { prepareReport } from '../../../core/orders/receive/prepareReport.js';
import { readReport } from '../../../core/orders/receive/readReport.js';
import type { PreparedReport } from '../../../core/orders/report.js';
import { recordFound } from '../../../core/orders/store/sql/foundOrder.js';
import type { StoreReport } from '../../../core/orders/store/storeReport.js';
import { requireSilentKey } from '../../../core/teams/issueKey.js';
import type { InTurn } from '../../../database/turns.js';
import { madeUpEmail } from '../../../values/email.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../../values/ids.js';
import { describeIssues } from '../../../values/issues.js';
import type { ComparedMode, InFile } from '../compare/compareOrders.js';
import { type ChosenColumns, currencyOf } from '../read/chooseColumns.js';
import type { FileOrder } from '../read/fileOrder.js';
import type { Refunded } from '../read/readRefunded.js';
import { storeRefunded } from './fileRefund.js';
import { type ComparedFile, findDoubles, type NotStored } from './findDoubles.js';

/** Dependencies of `createStoreMissing`. */
export interface StoreMissingDeps {
  inTurn: InTurn;
  /** The installation's secret, from which people's ids are made. */
  secret: string;
  storeReport: StoreReport;
  place: PlaceStatements;
  /** The database's time, in milliseconds. */
  nowMs: () => number;
  /** Id of the press, by which the stored orders can be removed again. */
  press: Uuid;
  /** Called with the id of each order that was not stored before. */
  onNew?: (id: Uuid) => void;
}

/** Describes the value without which an order of a file cannot be stored; null if it has all. */
export function lackOf({ amount, currency, createdMs }: FileOrder, columns: ChosenColumns): string | null {
  if (amount === null) return 'has no amount';
  if (currencyOf(currency, columns) === null) return 'has no currency';
  return createdMs === null && columns.at.createdAt.length > 0 ? 'has no date' : null;
}

/**
 * Creates the function that stores orders of a file as reports with an API key. They get their dates in the file, or
 * the current time if the file has none.
 *
 * Each order is stored once, even if it is tried again, because its order id or payment finds it. An order without an
 * email, as of a till, gets a made-up address. The function resolves, for each order, with null if it is stored, or
 * with the reason why it is not. It rejects with `unavailable` or the database's failure; orders stored before stay
 * stored.
 */
export async function createStoreMissing(
  { inTurn, secret, storeReport, place, nowMs, press, onNew }: StoreMissingDeps,
  { teamId, isTest }: ComparedMode,
  file: ComparedFile,
): Promise<(orders: readonly FileOrder[]) => Promise<(NotStored | null)[]>> {
  const { columns } = file;
  const storedNow = new Set<Uuid>();
  /** The compared file. Its `isInFile` is also true for orders that were stored since the comparison. */
  const known = { ...file, isInFile: (here: InFile) => storedNow.has(here.id) || file.isInFile(here) };
  const keyHash = await inTurn(teamId, (sql) =>
    requireSilentKey(sql, teamId, isTest ? 'test' : 'live', secret),
  );

  return async function storeMissing(orders) {
    const doubles = await findDoubles({ inTurn, secret }, { teamId, isTest }, known, orders);
    const found: Uuid[] = [];
    const noteNew = (id: Uuid) => {
      found.push(id);
      onNew?.(id);
    };
    const stored = await Promise.all(
      orders.map(async (order, index) => {
        const message = lackOf(order, columns);
        return message === null ? (doubles.get(index) ?? storeOne(order, noteNew)) : { message };
      }),
    );
    if (found.length > 0) await inTurn(teamId, (sql) => recordFound(sql, teamId, found));
    return stored;
  };

  async function storeOne(order: FileOrder, onNew: (id: Uuid) => void): Promise<NotStored | null> {
    try {
      const { id, isNew } = await storeWithRefund(toReport(order), order.refunded);
      storedNow.add(id);
      if (isNew) onNew(id);
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return { message: error.message };
      throw error;
    }
  }

  async function storeWithRefund(report: PreparedReport, refunded: Refunded | null) {
    if (refunded !== null && refunded !== 'some') {
      const id = await inTurn(teamId, () => storeRefunded(place, teamId, { ...report, isTest }, refunded));
      if (id !== null) return { id, isNew: true };
    }
    const { id, isNew } = await storeReport(teamId, report);
    return { id: decodeId('ord', id)!, isNew };
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
  }: FileOrder): PreparedReport {
    const parsed = readReport(
      {
        teamId: encodeId('team', teamId),
        amount: Number(amount),
        currency: currencyOf(currency, columns),
        email: email ?? madeUpEmail('file', orderId),
        ...(source !== null && { source }),
        // A provider's id does not become the order id: it is a separate identifier, and a later report may add the
        // shop's order id.
        ...(!keys.includes(orderId) && { orderId }),
        ...(name !== null && { name }),
      },
      false,
    );
    if (parsed.issues) throw new ApiError('invalid_request', describeIssues(parsed));
    const idMs = Math.floor(nowMs());
    const createdAt = new Date(Math.min(createdMs ?? idMs, idMs)).toISOString();
    const sender = {
      teamId,
      keyHash,
      host: null,
      idempotencyKey: undefined,
      providerIds: keys,
      press,
      createdAt,
      idMs,
    };
    return { ...prepareReport(parsed, sender, secret), isDated: createdMs !== null };
  }
}
