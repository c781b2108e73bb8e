import type { Sql } from '../database/connection/connect.js';
import { inTransaction } from '../database/inTransaction.js';
import type { Uuid } from '../values/ids.js';
import { addBuyers, type NewBuyerRow } from './sql/addBuyers.js';
import { addOrders, type GoodReport } from './sql/addOrders.js';
import { judgeReports } from './sql/judgeReports.js';
import { markRecount } from './sql/markRecount.js';
import type { CheckedReport, ReportVerdictRow } from './sql/reportOrders.js';

/** Thrown out of a transaction that met orders which were stored after it had looked for them. */
class LostRace extends Error {
  override name = 'LostRace';
  readonly known: Set<Uuid>;

  constructor(known: Set<Uuid>) {
    super('Orders were stored meanwhile.');
    this.known = known;
  }
}

/**
 * Does what `reportOrders` does where the tables are spread over a Citus cluster: in one transaction whose statements
 * Citus routes whole to the team's machine. The buyers go in before the orders, and a report that turns out to be
 * known only then undoes it all: so it leaves no person behind.
 * @param late times whose quarters have to be counted anew
 */
export async function storeReportsSpread(
  sql: Sql,
  teamId: Uuid,
  submissions: CheckedReport[],
  late: Date[],
): Promise<ReportVerdictRow[]> {
  let known = new Set<Uuid>();
  for (;;) {
    try {
      const verdicts = await inTransaction(sql, async (tx) => {
        const verdicts = await storeUnless(tx, teamId, submissions, known);
        if (late.length > 0) await markRecount(tx, teamId, late);
        return verdicts;
      });
      return verdicts.filter(({ refusal, isNew, isTest }) => refusal !== null || !isNew || isTest);
    } catch (error) {
      if (!(error instanceof LostRace)) throw error;
      known = error.known;
    }
  }
}

/** Judges all and stores what is neither refused nor known. @param known ids of reports that the last try found known */
async function storeUnless(
  tx: Sql,
  teamId: Uuid,
  submissions: CheckedReport[],
  known: Set<Uuid>,
): Promise<ReportVerdictRow[]> {
  const judged = new Map((await judgeReports(tx, teamId, submissions)).map((row) => [row.id, row]));
  const isFree = ({ id }: CheckedReport) =>
    judged.get(id)!.refusal === null && !judged.get(id)!.isKnown && !known.has(id);
  const good = submissions
    .filter(isFree)
    .map((report): GoodReport => ({ ...report, isTest: judged.get(report.id)!.isTest }))
    .sort(byIdentifiers);
  const orders = good.length > 0 ? await addBuyersFirst(tx, teamId, good) : [];
  const stored = new Set(orders.map(({ id }) => id));
  const lost = good.filter(({ id }) => !stored.has(id));
  if (lost.length > 0) throw new LostRace(new Set([...known, ...lost.map(({ id }) => id)]));
  return submissions.map(({ id }) => {
    const { refusal, isTest } = judged.get(id)!;
    return { id, refusal, isTest, isNew: stored.has(id) };
  });
}

/** Sends all statements at once: each waits on the machine for the one before, and none for its answer. */
async function addBuyersFirst(tx: Sql, teamId: Uuid, good: GoodReport[]): Promise<{ id: Uuid }[]> {
  const people = inPowersOfTwo(buyersOf(good)).map((buyers) => addBuyers(tx, teamId, buyers));
  const orders = addOrders(tx, teamId, padded(good));
  // All are awaited: what fails first ends the transaction, and nothing is left unhandled.
  const outcomes = await Promise.allSettled([...people, orders]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return orders;
}

/** One row for each person, in the order of the ids; of several names one that a live key said, else the first one. */
function buyersOf(reports: GoodReport[]): NewBuyerRow[] {
  const buyers = new Map<Uuid, NewBuyerRow>();
  const inTime = [...reports].sort((a, b) => compare(a.id, b.id));
  for (const { personId, email, name, keyHash, isTest } of inTime) {
    const isNameByKey = name !== null && keyHash !== null && !isTest;
    const known = buyers.get(personId);
    const isBetter = !known || (isNameByKey && !known.isNameByKey) || (known.name === null && name !== null);
    if (isBetter) buyers.set(personId, { id: personId, email, name, isNameByKey });
  }
  return [...buyers.values()].sort((a, b) => compare(a.id, b.id));
}

/** Cuts rows into pieces of 1, 2, 4 … rows: each number of rows is a statement of its own to prepare. */
function inPowersOfTwo<Row>(rows: Row[]): Row[][] {
  const pieces: Row[][] = [];
  for (let at = 0; at < rows.length; ) {
    const count = 2 ** Math.floor(Math.log2(rows.length - at));
    pieces.push(rows.slice(at, at + count));
    at += count;
  }
  return pieces;
}

/** Repeats the last row up to a power of two; the repeated row is a conflict and does nothing. */
function padded<Row>(rows: Row[]): Row[] {
  const count = 2 ** Math.ceil(Math.log2(rows.length));
  return [...rows, ...Array<Row>(count - rows.length).fill(rows.at(-1)!)];
}

/** Two servers that store the same orders then wait for each other in one order. */
function byIdentifiers(a: CheckedReport, b: CheckedReport): number {
  return (
    compare(a.orderId, b.orderId) ||
    compare(a.idempotencyKey, b.idempotencyKey) ||
    compare(a.reportId, b.reportId)
  );
}

/** Null comes last, as in PostgreSQL. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
