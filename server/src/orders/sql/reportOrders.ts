import type { Sql } from '../../database/connection/connect.js';
import { canReplaceName } from '../../people/sql/personName.js';
import type { Uuid } from '../../values/ids.js';
import { type CheckedReport, judgedReports } from './judgedReports.js';

export type { CheckedReport };

/** What the database said of a submission that is not simply new and live. */
export interface ReportVerdictRow {
  id: Uuid;
  /** Why nothing was stored, or null. */
  refusal: 'invalid_api_key' | 'team_mismatch' | 'domain_not_allowed' | null;
  isTest: boolean;
  /** False with no refusal: an order of that mode and identifier, or of that order number, was there already. */
  isNew: boolean;
}

/**
 * Judges and stores reports of one team in one statement: key or domain, order, buyer. What it resolves with
 * are the exceptions alone: a submission without a row was stored, as new and as no test. One team a statement: so
 * one team's trouble stays its own. Where the tables are spread over a Citus cluster, `judgeReports`, `addBuyers` and
 * `addOrders` do the same in one transaction: Citus takes this statement apart.
 *
 * The buyer is inserted from what the order's insert returned, so a refused or known report leaves no person
 * behind; the foreign key is checked at the statement's end. A nameless buyer gets a name, and one
 * whom only pages named the name that a live key says, in that same insert: an update that joins `person` was planned as a scan of the whole table while the table was young,
 * and with 15,000 people more than halved the rate (2,600 instead of 5,500 orders a second over HTTP). Rows go in by orderId, so that two servers
 * meet in the same order; where they still deadlock, the caller tries again.
 */
export function reportOrders(sql: Sql, teamId: Uuid, submissions: CheckedReport[]) {
  return sql<ReportVerdictRow[]>`/* reportOrders */
    with ${judgedReports(sql, teamId, submissions)}, stored as (
      insert into placed_order (
        team_id, id, order_number, person_id, order_id, report_id, idempotency_key, amount, currency, source,
        name, items, visitor_id, is_test, reported_by, created_at, host
      )
      select ${teamId}, id, "orderNumber", "personId", "orderId", "reportId", "idempotencyKey", amount, currency,
        source, name, items, "visitorId", is_test, case when "keyHash" is null then 'browser' else 'key' end,
        "createdAt", host
      from judged
      where refusal is null
      order by "orderId", "idempotencyKey", "reportId"
      on conflict do nothing
      returning id
    ), buyer as (
      select distinct on ("personId") "personId", email, name,
        name is not null and "keyHash" is not null and not is_test as name_by_key
      from judged join stored using (id)
      order by "personId", name_by_key desc, name is null, id
    ), met as (
      insert into person (team_id, id, email, name, name_by_key)
      select ${teamId}, "personId", email, name, name_by_key from buyer
      on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where ${canReplaceName(sql)}
    )
    select judged.id, judged.refusal, judged.is_test as "isTest", stored.id is not null as "isNew"
    from judged left join stored using (id)
    where judged.refusal is not null or stored.id is null or judged.is_test`;
}
