import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import type { Listeners } from '../../../listener.js';
import { meetBuyers } from '../../../people/sql/person.js';
import { fieldColumns, fieldNames } from '../../fields.js';
import type { PreparedReport } from '../../report.js';
import { createReportStatement, rowsOf, type SentReports } from './reportRows.js';
import { type CountRow, type ReportVerdictRow, requireAll } from './reportVerdict.js';

/**
 * Judges and stores reports of one team in one statement: key or domain, order, buyer, and what listeners add. Resolves with
 * the exceptions only: a report without a row was stored as a new live order. How many these are is counted, so that a row
 * that got lost on its way is no stored order. `storeDistributed` does the same where the tables lie on several nodes.
 *
 * The buyer is inserted from the rows that the order's insert returned, so that a refused or known report leaves no person
 * behind. No foreign key looks for the buyer: this insert adds or locks each one, as `lockPeople` needs it. It
 * also updates the name: a buyer without a name gets one, and a name that a live key gives replaces one that a page
 * gave. An update that joins `person` was planned as a scan of the whole table while the table was young: with 15,000 people
 * it more than halved the rate (2,600 instead of 5,500 orders a second over HTTP). Rows are inserted in the order of
 * `orderId`, so that two servers meet in the same order; the caller retries the deadlocks that are left, and the 23505 of a
 * key that another report gives to its order meanwhile.
 */
export function createReportOrders(listeners: Listeners) {
  const store = createReportStatement<ReportVerdictRow & CountRow>(
    (sql, teamId, sent, firstId) => sql`/* reportOrders */
    with ${judgement(sql, teamId, sent)}, stored as (
      insert into placed_order (
        team_id, id, order_number, person_id, report_id, ${fieldColumns(sql)}, said, is_test, reported_by, host, created_at
      )
      select ${teamId}, id, "orderNumber", "personId", "reportId", ${fieldValues(sql)},
        case
          when "visitorFirst" is null and "visitorLast" is null then said
          else (coalesce(said::jsonb, '{}') || jsonb_build_object('earlier', ${visitorsTouches(sql)}))::json
        end,
        is_test, case when has_key then 'key' when "signedAsTest" is null then 'browser' else 'both' end, host,
        "createdAt"
      from judged
      where refusal is null ${sent.shape.haveNames ? isNewByKey(sql, teamId) : sql``}
      order by "orderId", names::text, "reportId"
      on conflict do nothing
      returning *
    ), ${sent.shape.haveNames ? keyed(sql, teamId) : sql``} buyer as (
      select distinct on ("personId") "personId", email, judged.name,
        judged.name is not null and has_key and not judged.is_test as name_by_key
      from judged join stored using (id)
      order by "personId", name_by_key desc, judged.name is null, id
    ), met as (${meetBuyers(sql, teamId, sql`buyer`)}
    )${ofListeners(sql, teamId, listeners)}
    select judged.id, judged.refusal, judged.is_test as "isTest", stored.id is not null as "isNew", null as "newLive"
    from judged left join stored using (id)
    where judged.refusal is not null or stored.id is null or judged.is_test
    union all
    select ${firstId}, null, false, true, count(*)::int from stored where not is_test`,
  );
  return async (sql: Sql, teamId: Uuid, reports: PreparedReport[]): Promise<ReportVerdictRow[]> =>
    requireAll(await store(sql, teamId, reports), reports);
}

/**
 * The common table expressions `sender`, `report` and `judged`: the reports of one team with the verdict of their key or
 * domain, as `refusal` and `is_test`. Most reports of a batch share a sender, which is judged once.
 *
 * A report with a key that names a visitor and has no touches gets `visitorFirst` and `visitorLast`, those of the visitor's
 * latest order. The statement looks for them only where a report needs it, because most batches are of pages.
 * `isRepeated` is true for a report that shares a key with an earlier one of the batch.
 */
export const judgement = (sql: Sql, teamId: Uuid, sent: SentReports) => sql`
    sender as materialized (
      select ordinality as sender, "keyHash" is not null as has_key,
        coalesce(api_key.mode = 'test', allowed.is_test, false) as is_test,
        case
          when "keyHash" is null then case when allowed.is_test is null then 'domain_not_allowed' end
          when api_key.id is null then 'invalid_api_key'
          when api_key.team_id <> ${teamId} then 'team_mismatch'
        end as refusal,
        allowed.requires_signature
      from rows from (
        json_to_recordset(${sent.senders}::text::json) as ("keyHash" text, "domainEntries" text[])
      ) with ordinality
      left join api_key on api_key.hash = "keyHash" and api_key.revoked_at is null
      left join lateral (
        select domain.is_test, domain.requires_signature from domain
        where domain.team_id = ${teamId} and domain.entry = any("domainEntries")
        order by array_position("domainEntries", domain.entry)
        limit 1
      ) allowed on "keyHash" is null
    ), report as (
      ${rowsOf(sql, sent)}
    ), judged as (
      select report.*, has_key, is_test,
        coalesce(refusal, case
          when "signedAsTest" <> is_test then 'invalid_signature'
          when requires_signature and "signedAsTest" is null then 'signature_required'
        end) as refusal,
        ${
          sent.shape.askVisitors
            ? sql`visitor.first_touch as "visitorFirst", visitor.last_touch as "visitorLast"`
            : sql`null::json as "visitorFirst", null::json as "visitorLast"`
        }
      from report join sender using (sender)
      ${sent.shape.askVisitors ? touchesOfVisitor(sql, teamId) : sql``}
    )`;

/** Joins the touches of the visitor's latest order that has any. A page knows its visitor's touches itself. */
const touchesOfVisitor = (sql: Sql, teamId: Uuid) => sql`
      left join lateral (
        select first_touch, last_touch from placed_order
        where team_id = ${teamId} and visitor_id = report."visitorId" and placed_order.is_test = sender.is_test
          and report."firstTouch" is null and report."lastTouch" is null and has_key
          and (first_touch is not null or last_touch is not null)
        order by created_at desc
        limit 1
      ) visitor on true`;

/** A common table expression for each listener that adds one. */
const ofListeners = (sql: Sql, teamId: Uuid, listeners: Listeners): Fragment =>
  listeners.reduce(
    (before, { newOrders }, at) =>
      newOrders ? sql`${before}, ${sql(`of_listener_${at}`)} as (${newOrders(sql, teamId)})` : before,
    sql``,
  );

/** True for a row of `judged` with a name that an order has already, as a condition. */
export const isNamedAlready = (sql: Sql, teamId: Uuid) => sql`exists (
          select from order_key
          where team_id = ${teamId} and key = any(array(select value from json_to_recordset(names) as n (value text)))
            and order_key.is_test = judged.is_test and placed_order_id is not null and exists (
              select from json_to_recordset(names) as n (kind text, value text) where n.kind = order_key.kind and n.value = key
            )
        )`;

/** Conditions of a row of `judged` whose names no order has, and no earlier row of the batch. */
const isNewByKey = (sql: Sql, teamId: Uuid) => sql`
        and "isRepeated" is not true and (names is null or not ${isNamedAlready(sql, teamId)})`;

/** The common table expression that keeps the names of new orders. */
const keyed = (sql: Sql, teamId: Uuid) => sql`keyed as (
      insert into order_key (team_id, kind, key, is_test, placed_order_id, amount, currency, number, person_id)
      select ${teamId}, named.kind, named.value, judged.is_test, id,
        case when named.kind = 'idempotency' then judged.amount end,
        case when named.kind = 'idempotency' then case when judged.said -> 'unsaid' ->> 0 is distinct from 'currency' then judged.currency end end,
        case when named.kind = 'idempotency' then judged."orderId" end,
        case when named.kind = 'idempotency' then judged."personId" end
      from judged join stored using (id) cross join json_to_recordset(names) as named (kind text, value text)
      order by named.value
    ),`;

const visitorsTouches = (sql: Sql) =>
  sql`jsonb_build_object('firstTouch', "visitorFirst", 'lastTouch', "visitorLast")`;

const visitorsTouch: Record<string, string> = { firstTouch: 'visitorFirst', lastTouch: 'visitorLast' };
const valuesText = fieldNames
  .map((name) => (visitorsTouch[name] ? `coalesce("${name}", "${visitorsTouch[name]}")` : `"${name}"`))
  .join(', ');

/** The fields of a row of `judged`; the touches of the visitor's earlier order where it has none. */
const fieldValues = (sql: Sql) => sql`${sql.unsafe(valuesText)}`;
