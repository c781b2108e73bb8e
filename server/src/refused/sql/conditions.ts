import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import { orderDiffers } from '../../orders/findDifference.js';
import type { Uuid } from '../../values/ids.js';
import { type RefusedFilter, refusedKeepMs } from '../refusedReport.js';

/** The columns of `RefusedRow`. */
export const refusedColumns = (sql: Sql) => sql`
  id, reason, field, issues, host, body, is_cut as "isCut", key_hash as "keyHash",
  idempotency_key as "idempotencyKey", sdk_version as "sdkVersion", received_at as "receivedAt", last_at as "lastAt",
  times, email, order_id as "orderId", amount, currency`;

/** Condition on `refused_report`: it belongs to the team, matches the filter and is not older than 30 days. */
export const isMeant = (sql: Sql, teamId: Uuid, { reason, host, field, until, ids }: RefusedFilter) => sql`
  refused_report.team_id = ${teamId} and received_at > now() - ${refusedKeepMs}::float8 * interval '1 millisecond'
  ${reason === undefined ? sql`` : sql`and reason = ${reason}`}
  ${host === undefined ? sql`` : sql`and host = ${host}`}
  ${field === undefined ? sql`` : sql`and field = ${field}`}
  ${until === undefined ? sql`` : sql`and received_at <= ${until}`}
  ${ids === undefined ? sql`` : sql`and ${isOneOf(sql, ids)}`}`;

/**
 * Condition on `refused_report`: the buyer has this email, or it is one of the mentions; see `findMentions`. A body that was
 * replaced since then by a complete one with another email does not count.
 */
export const isOfBuyer = (sql: Sql, email: string, mentions: readonly Uuid[]) => sql`
  (email = ${email} or email is null and ${isOneOf(sql, mentions)})`;

const isOneOf = (sql: Sql, ids: readonly Uuid[]) => sql`id = ${anyOf(sql, ids, 'uuid')}`;

/**
 * Condition on `refused_report`: its order was not stored in another way, such as by the browser's own retry after its
 * domain was allowed, by a page that names its host this time, or by a key's report. Of a report that differs from its
 * order: the order has not got its amount meanwhile.
 */
export const isWaiting = (sql: Sql, teamId: Uuid) => sql`
  not case
    when reason = ${orderDiffers} then exists (
      select ${isSameOrder(sql, teamId)} and o.order_id = refused_report.order_id
        and o.amount = refused_report.amount and o.currency = refused_report.currency
    )
    when order_id is not null then exists (
      select ${isSameOrder(sql, teamId)} and o.order_id = refused_report.order_id
    ) or idempotency_key is not null and exists (
      select ${isSameOrder(sql, teamId)} and o.idempotency_key = refused_report.idempotency_key
    )
    when report_id is not null then exists (
      select ${isSameOrder(sql, teamId)} and o.report_id = refused_report.report_id
    )
    when idempotency_key is not null then exists (
      select ${isSameOrder(sql, teamId)} and o.idempotency_key = refused_report.idempotency_key
    )
    else false
  end`;

/**
 * Orders that may be those of a refused report. The caller adds one identifier, because each has its own index: with an
 * `or` of both, 10,000 reports beside 300,000 orders took four times as long.
 *
 * The buyer is the same. Where the report has no valid email, an order is enough that a key has said, or that has the
 * report's own id. A key's report is compared with orders that a key of its mode, live or test, has said. A page's is
 * compared with live orders; with test orders only of its own host, or where it names none. A `reportId` is of one call
 * of `track()`, wherever that was stored.
 */
const isSameOrder = (sql: Sql, teamId: Uuid) => sql`
  from placed_order o
  join person on person.team_id = ${teamId} and person.id = o.person_id
  where o.team_id = ${teamId}
    and (
      person.email = refused_report.email
      or refused_report.email is null and (o.reported_by <> 'browser' or refused_report.order_id is null)
    )
    and case
      when key_hash is null then
        not o.is_test or refused_report.host in (o.host, '') and o.host is not null
          or refused_report.order_id is null
      else o.is_test = (select mode = 'test' from api_key where hash = key_hash) and o.reported_by <> 'browser'
    end`;
