import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { WrongAnswer } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import type { Listeners } from '../../listener.js';
import { canReplaceName } from '../../people/sql/person.js';
import { fieldColumns, fieldNames } from '../fields.js';
import type { StampedReport } from '../report.js';
import { anyName, judgedReports, type ReportRefusal } from './judgedReports.js';
import { ordersOfKey } from './orderKeys.js';

/** The verdict on a report that is not stored as a new live order. */
export interface ReportVerdictRow {
  id: Uuid;
  /** The refusal if nothing was stored, or null. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /** False without a refusal: an order of that mode has one of the identifiers, or that order number, already. */
  isNew: boolean;
}

/**
 * Judges and stores reports of one team in one statement: key or domain, order, buyer, and what listeners add. Resolves with
 * the exceptions only: a report without a row was stored as a new live order. How many these are is counted, so that a row
 * that got lost on its way is no stored order. `storeDistributed` does the same where the tables lie on several nodes.
 *
 * The buyer is inserted from the rows that the order's insert returned, so that a refused or known report leaves no
 * person behind. The order's foreign key to its buyer is checked when the statement ends, by which time the buyer is
 * stored. That insert also updates the name: a buyer without a name gets one, and a name that a live key gives replaces
 * one that a page gave. An update that joins `person` was planned as a scan of the whole table while the table was young: with
 * 15,000 people it more than halved the rate (2,600 instead of 5,500 orders a second over HTTP). Rows are inserted in the order of `orderId`, so that two servers
 * meet in the same order; the caller retries the deadlocks that are left, and the 23505 of a key that
 * another report gives to its order meanwhile.
 */
export async function reportOrders(
  sql: Sql,
  teamId: Uuid,
  reports: StampedReport[],
  listeners: Listeners,
): Promise<ReportVerdictRow[]> {
  const rows = await sql<(ReportVerdictRow & CountRow)[]>`/* reportOrders */
    with ${judgedReports(sql, teamId, reports)}, stored as (
      insert into placed_order (
        team_id, id, order_number, person_id, report_id, ${fieldColumns(sql)}, said, is_test, reported_by, host, created_at,
        changed_at, shares_id_with
      )
      select ${teamId}, id, "orderNumber", "personId", "reportId", ${fieldValues(sql)},
        case
          when "visitorFirst" is null and "visitorLast" is null then said
          when said is null then json_build_object('page', ${visitorsTouches(sql)})
          else json_build_object('page', ${visitorsTouches(sql)}, 'unsaid', said -> 'unsaid')
        end,
        is_test, case when has_key then 'key' when "signedAsTest" is null then 'browser' else 'both' end, host,
        "createdAt", "changedAt", "sharesIdWith"
      from judged
      where refusal is null and "isRepeated" is not true and (names is null or not ${isKnownByKey(sql, teamId)})
      order by "orderId", names::text, "reportId"
      on conflict do nothing
      returning *
    ), keyed as (
      insert into order_key (team_id, key, is_test, placed_order_id, amount, currency)
      select ${teamId}, named.key, judged.is_test, id, case when named.key = "idempotencyKey" then judged.amount end,
        case when named.key = "idempotencyKey" then judged.currency end
      from judged join stored using (id) cross join json_array_elements_text(names) as named (key)
      order by named.key
    ), buyer as (
      select distinct on ("personId") "personId", email, judged.name,
        judged.name is not null and has_key and not judged.is_test as name_by_key
      from judged join stored using (id)
      order by "personId", name_by_key desc, judged.name is null, id
    ), met as (
      insert into person (team_id, id, email, name, name_by_key)
      select ${teamId}, "personId", email, name, name_by_key from buyer
      on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where ${canReplaceName(sql)}
    )${ofListeners(sql, teamId, listeners)}
    select judged.id, judged.refusal, judged.is_test as "isTest", stored.id is not null as "isNew", null as "newLive"
    from judged left join stored using (id)
    where judged.refusal is not null or stored.id is null or judged.is_test
    union all
    select ${reports[0]!.id}, null, false, true, count(*)::int from stored where not is_test`;
  return requireAll(rows, reports);
}

/** A common table expression for each listener that adds one. */
const ofListeners = (sql: Sql, teamId: Uuid, listeners: Listeners): Fragment =>
  listeners.reduce(
    (before, { newOrders }, at) =>
      newOrders ? sql`${before}, ${sql(`heard_${at}`)} as (${newOrders(sql, teamId)})` : before,
    sql``,
  );

/** True for a row of `judged` with a key that an order has, as an expression. */
const isKnownByKey = (sql: Sql, teamId: Uuid) =>
  sql`coalesce((${ordersOfKey(sql, teamId, anyName(sql), sql`judged.is_test`)} limit 1) is not null, false)`;

const visitorsTouches = (sql: Sql) =>
  sql`json_build_object('firstTouch', "visitorFirst", 'lastTouch', "visitorLast")`;

const visitorsTouch: Record<string, string> = { firstTouch: 'visitorFirst', lastTouch: 'visitorLast' };
const valuesText = fieldNames
  .map((name) => (visitorsTouch[name] ? `coalesce("${name}", "${visitorsTouch[name]}")` : `"${name}"`))
  .join(', ');

/** The fields of a row of `judged`; the touches of the visitor's earlier order where it has none. */
const fieldValues = (sql: Sql) => sql`${sql.unsafe(valuesText)}`;

/** The row that says how many reports have no row of their own. */
interface CountRow {
  /** New live orders; null in the row of a report. */
  newLive: number | null;
}

/**
 * Returns the exceptions of an answer that speaks of every report.
 * @param rows of each exception, and the count, which has the id of the first report
 * @throws WrongAnswer
 */
function requireAll(rows: (ReportVerdictRow & CountRow)[], reports: StampedReport[]): ReportVerdictRow[] {
  const ids = new Set(reports.map(({ id }) => id));
  const exceptions = rows.filter(({ newLive }) => newLive === null);
  const counts = rows.filter(({ newLive }) => newLive !== null);
  const named = new Set(exceptions.map(({ id }) => id));
  const isWhole =
    counts.length === 1 && counts[0]!.id === reports[0]!.id && named.size + counts[0]!.newLive! === ids.size;
  if (!isWhole || !exceptions.every(({ id }) => ids.has(id))) throw new WrongAnswer();
  return exceptions;
}
