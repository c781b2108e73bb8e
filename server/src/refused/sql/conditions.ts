import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import { type RefusedFilter, refusedKeepMs } from '../refusedReport.js';
import { emailMention } from './emailMention.js';

/** The columns of `RefusedRow`. */
export const refusedColumns = (sql: Sql) => sql`
  id, reason, field, issues, host, body, is_cut as "isCut", key_hash as "keyHash",
  idempotency_key as "idempotencyKey", sdk_version as "sdkVersion", received_at as "receivedAt", last_at as "lastAt",
  times, email, order_id as "orderId", amount, currency`;

/** A condition on `refused_report`: of the team, of the filter, and not older than 30 days. */
export const isMeant = (
  sql: Sql,
  teamId: Uuid,
  { reason, host, field, until, ids, email }: RefusedFilter,
) => sql`
  refused_report.team_id = ${teamId} and received_at > ${new Date(Date.now() - refusedKeepMs)}
  ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
  ${host === undefined ? sql`` : sql`and host = ${host}`}
  ${field === undefined ? sql`` : sql`and field = ${field}`}
  ${until === undefined ? sql`` : sql`and received_at <= ${until}`}
  ${ids === undefined ? sql`` : sql`and id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::text::json))`}
  ${email === undefined ? sql`` : sql`and ${isOfBuyer(sql, email)}`}`;

/**
 * A condition on `refused_report`: the buyer has that email, or the body has no valid one and mentions it, such as
 * one whose `amount` was cut off or whose email is written as `Ann <ann@shop.example>`.
 */
export const isOfBuyer = (sql: Sql, email: string) => sql`
  (email = ${email} or (email is null and lower(body) ~ ${emailMention(email)}))`;

/**
 * A condition on `refused_report`: no order has come of it by another way, such as the browser's own retry after its
 * domain was allowed. The same page's host makes it the same mode, live or test; of a key report, the key's mode.
 */
export const isWaiting = (sql: Sql, teamId: Uuid) => sql`
  not case
    when order_id is not null then exists (
      select ${isSameOrder(sql, teamId)} and o.order_id = refused_report.order_id
    )
    when report_id is not null then exists (
      select ${isSameOrder(sql, teamId)} and o.report_id = refused_report.report_id
    )
    else false
  end`;

/**
 * Orders of the same buyer and mode. They are searched by one identifier, each with an index of its own: with an `or`
 * of both, 10,000 reports beside 300,000 orders took four times as long.
 */
const isSameOrder = (sql: Sql, teamId: Uuid) => sql`
  from placed_order o
  join person on person.team_id = ${teamId} and person.id = o.person_id
  where o.team_id = ${teamId} and person.email = refused_report.email
    and case when key_hash is null then o.host = refused_report.host
      else o.is_test = (select mode = 'test' from api_key where hash = key_hash) and o.reported_by <> 'browser' end`;
