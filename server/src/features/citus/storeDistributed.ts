import { type Listeners, notifyListeners } from '../../core/listener.js';
import { type AuthorizedReport, isNameByKey, type PreparedReport } from '../../core/orders/report.js';
import { addOrders } from '../../core/orders/store/sql/addOrders.js';
import type { ReportVerdictRow } from '../../core/orders/store/sql/reportVerdict.js';
import { addBuyers, type NewBuyerRow } from '../../core/people/sql/person.js';
import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { allWritten, pairRows } from '../../database/pairRows.js';
import type { Uuid } from '../../values/ids.js';
import { type AuthorizedReportRow, addNewKeys, judgeReports, keysOf } from './sql/distributedReports.js';

/** The orders and identifiers that were stored. */
interface Added {
  orders: readonly { id: Uuid }[];
  identifiers: readonly { kind: string; key: string; id: Uuid }[];
}

const nothing: Added = { orders: [], identifiers: [] };
const noKeys = Object.assign([], { count: 0 });

/** The error that rolls a transaction back because another one has stored some of its orders first. `known` has their reports' ids. */
class LostRace extends Error {
  override name = 'LostRace';
  readonly known: Set<Uuid>;

  constructor(known: Set<Uuid>) {
    super('Orders were stored meanwhile.');
    this.known = known;
  }
}

/**
 * Stores reports as `reportOrders` does, but in distributed tables of a Citus cluster.
 *
 * It uses one transaction, whose statements Citus routes whole to the team's node. The buyers are stored before the
 * orders. If a report turns out to be known only then, the transaction is rolled back, so that no person is left
 * behind.
 */
export async function storeDistributed(
  sql: Sql,
  teamId: Uuid,
  reports: PreparedReport[],
  listeners: Listeners,
): Promise<ReportVerdictRow[]> {
  let known = new Set<Uuid>();
  for (;;) {
    try {
      const verdicts = await inTransaction(sql, (tx) => storeUnless(tx, teamId, reports, known, listeners));
      return verdicts.filter(({ refusal, isNew, isTest }) => refusal !== null || !isNew || isTest);
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      known = error.known;
    }
  }
}

/**
 * Authorizes all reports, and stores those that are neither refused nor known.
 * @param known ids of reports that the last attempt found known
 */
async function storeUnless(
  tx: Sql,
  teamId: Uuid,
  reports: PreparedReport[],
  known: Set<Uuid>,
  listeners: Listeners,
): Promise<ReportVerdictRow[]> {
  const ids = reports.map(({ id }) => id);
  const rows = pairRows(ids, await judgeReports(tx, teamId, reports), ({ id }) => id);
  const authorized = new Map(rows.map((row) => [row.id, row]));
  const isFree = ({ id }: PreparedReport) =>
    authorized.get(id)!.refusal === null && !authorized.get(id)!.isKnown && !known.has(id);
  const good = reports
    .filter(isFree)
    .map((report) => asNew(report, authorized.get(report.id)!))
    .sort(byIdentifiers);
  const { orders, identifiers } =
    good.length > 0 ? await addBuyersFirst(tx, teamId, good, listeners) : nothing;
  const stored = new Set(orders.map(({ id }) => id));
  const keyed = new Set(identifiers.map(({ kind, key, id }) => `${id} ${kind} ${key}`));
  const unkeyed = keysOf(good).filter(
    ({ name: { kind, value }, report }) => !keyed.has(`${report.id} ${kind} ${value}`),
  );
  const lost = [...good.filter(({ id }) => !stored.has(id)), ...unkeyed.map(({ report }) => report)];
  if (lost.length > 0) throw new LostRace(new Set([...known, ...lost.map(({ id }) => id)]));
  return reports.map(({ id }) => {
    const { refusal, isTest } = authorized.get(id)!;
    return { id, refusal, isTest, isNew: stored.has(id) };
  });
}

function asNew(
  report: PreparedReport,
  { isTest, visitorFirst: firstTouch, visitorLast: lastTouch }: AuthorizedReportRow,
): AuthorizedReport {
  if (firstTouch === null && lastTouch === null) return { ...report, isTest };
  return { ...report, isTest, firstTouch, lastTouch, earlier: { firstTouch, lastTouch } };
}

/**
 * Stores the buyers, then the orders, their identifiers and the rows of listeners. All statements are sent without waiting for
 * answers; the node runs them in this order.
 */
async function addBuyersFirst(
  tx: Sql,
  teamId: Uuid,
  good: AuthorizedReport[],
  listeners: Listeners,
): Promise<Added> {
  const people = inPowersOfTwo(buyersOf(good)).map((buyers) => addBuyers(tx, teamId, buyers));
  const orders = addOrders(tx, teamId, padded(good));
  const named = keysOf(good);
  const identifiers = named.length > 0 ? addNewKeys(tx, teamId, padded(named)) : noKeys;
  const changes = good.map(({ id, isTest, createdAt }) => ({
    before: null,
    after: { id, isTest, createdAt: new Date(createdAt) },
    duplicates: [],
    isShownChanged: false,
    areRefundsChanged: false,
  }));
  const notified = notifyListeners(listeners, 'onOrdersChanged', tx, teamId, changes);
  // The first failure ends the transaction. All are awaited, so that no rejection stays unhandled.
  const outcomes = await Promise.allSettled([...people, orders, identifiers, notified]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return { orders: allWritten(await orders), identifiers: allWritten(await identifiers) };
}

/**
 * Returns one row for each buyer of the reports, sorted by the person's id. Its name is one that a live API key gave, or else the
 * first name in a report.
 */
function buyersOf(reports: AuthorizedReport[]): NewBuyerRow[] {
  const buyers = new Map<Uuid, NewBuyerRow>();
  const inTime = [...reports].sort((a, b) => compare(a.id, b.id));
  for (const report of inTime) {
    const { personId, email, name } = report;
    const buyer = { id: personId, email, name, isNameByKey: isNameByKey(report) };
    const known = buyers.get(personId);
    const isBetter =
      !known || (buyer.isNameByKey && !known.isNameByKey) || (known.name === null && name !== null);
    if (isBetter) buyers.set(personId, buyer);
  }
  return [...buyers.values()].sort((a, b) => compare(a.id, b.id));
}

/**
 * Splits rows into pieces of 1, 2, 4 … rows, the largest first. Each number of rows is a separate prepared statement,
 * so there are few.
 */
function inPowersOfTwo<Row>(rows: Row[]): Row[][] {
  const pieces: Row[][] = [];
  for (let at = 0; at < rows.length; ) {
    const count = 2 ** Math.floor(Math.log2(rows.length - at));
    pieces.push(rows.slice(at, at + count));
    at += count;
  }
  return pieces;
}

/** Repeats the last row until the number of rows is a power of two. A repeated row conflicts with the first one, and is not stored. */
function padded<Row>(rows: Row[]): Row[] {
  const count = 2 ** Math.ceil(Math.log2(rows.length));
  return [...rows, ...Array<Row>(count - rows.length).fill(rows.at(-1)!)];
}

/** Compares orders by their identifiers, so that two servers that store the same ones lock them in the same order. */
function byIdentifiers(a: PreparedReport, b: PreparedReport): number {
  return compare(a.orderId, b.orderId) || compare(keyOf(a), keyOf(b)) || compare(a.reportId, b.reportId);
}

function keyOf({ idempotencyKey, providerIds }: PreparedReport): string | null {
  return providerIds[0] ?? idempotencyKey;
}

/** Compares texts. Null comes last, as in PostgreSQL. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
