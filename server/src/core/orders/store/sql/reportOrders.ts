import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import type { Listeners } from '../../../listener.js';
import { meetBuyers } from '../../../people/sql/person.js';
import { fieldColumns, fieldNames } from '../../fields.js';
import type { PreparedReport } from '../../report.js';
import { createReportStatement, rowsOf, type SentReports } from './reportRows.js';
import { type CountRow, type ReportVerdictRow, requireAll } from './reportVerdict.js';

/**
 * Authorizes and stores reports of one team in one statement: key or domain, order, buyer, and the rows of listeners. Resolves only
 * with exceptions: a report without a row was stored as a new live order. The number of these is returned, too, so that a row that
 * got lost on its way does not count as a stored order. `storeDistributed` does the same if the tables lie on several nodes.
 *
 * The buyer is inserted from the rows that the order's insert returned, so that a refused or known report leaves no person behind.
 * No foreign key checks the buyer. Instead, this insert adds or locks each one, as `lockPeople` needs it. It also updates the name:
 * a buyer without a name gets one, and a name from a live key replaces one from a page. An update that joins `person` was planned
 * as a scan of the whole table while the table was new: with 15,000 people it more than halved the rate (2,600 instead of 5,500
 * orders a second over HTTP).
 *
 * Rows are inserted in the order of `orderId`, so that two servers meet in the same order. The caller retries the remaining
 * deadlocks, and the 23505 of a key that another report gives to its order concurrently.
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
 * Builds the common table expressions `sender`, `report` and `judged`. They are the authorized reports of one team, with the result
 * for their key or domain in `refusal` and `is_test`. Most reports of a batch share a sender, which is looked up once.
 *
 * A report with an API key that has a visitor but no touches gets `visitorFirst` and `visitorLast`, those of the visitor's latest
 * order. They are only looked up if a report of the batch needs them, because most batches are of pages. `isRepeated` is true for a
 * report that shares an identifier with an earlier one of the batch, or that needs rows in `statement`.
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

/**
 * Joins the touches of the visitor's latest order that has any. Only for reports with an API key, because a page sends its
 * visitor's touches itself.
 */
const touchesOfVisitor = (sql: Sql, teamId: Uuid) => sql`
      left join lateral (
        select first_touch, last_touch from placed_order
        where team_id = ${teamId} and visitor_id = report."visitorId" and placed_order.is_test = sender.is_test
          and report."firstTouch" is null and report."lastTouch" is null and has_key
          and (first_touch is not null or last_touch is not null)
        order by created_at desc
        limit 1
      ) visitor on true`;

/** Adds the common table expression of each listener that has one. */
const ofListeners = (sql: Sql, teamId: Uuid, listeners: Listeners): Fragment =>
  listeners.reduce(
    (before, { newOrders }, at) =>
      newOrders ? sql`${before}, ${sql(`of_listener_${at}`)} as (${newOrders(sql, teamId)})` : before,
    sql``,
  );

/** A condition: true for a row of `judged` with an identifier that an order already has. */
export const isNamedAlready = (sql: Sql, teamId: Uuid) => sql`exists (
          select from order_key
          where team_id = ${teamId} and key = any(array(select value from json_to_recordset(names) as n (value text)))
            and order_key.is_test = judged.is_test and placed_order_id is not null and exists (
              select from json_to_recordset(names) as n (kind text, value text) where n.kind = order_key.kind and n.value = key
            )
        )`;

/** A condition: true for a row of `judged` with no identifier that an order or an earlier row of the batch has. */
const isNewByKey = (sql: Sql, teamId: Uuid) => sql`
        and "isRepeated" is not true and (names is null or not ${isNamedAlready(sql, teamId)})`;

/** The common table expression that stores the identifiers of new orders. */
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

/** Selects the fields of the order from a row of `judged`. Missing touches are those of the visitor's earlier order. */
const fieldValues = (sql: Sql) => sql`${sql.unsafe(valuesText)}`;
