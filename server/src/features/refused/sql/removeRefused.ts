import { orderDiffers } from '../../../core/orders/store/answer.js';
import { isOtherName } from '../../../core/orders/store/sql/namedOrder.js';
import { hasOrderId } from '../../../core/orders/store/sql/placedOrder.js';
import type { OfTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import { type RefusedFilter, refusedKeepMs, restorableMs } from '../refusedReport.js';
import { isMeant, matches } from './listRefused.js';

/**
 * Discards kept reports, which can be restored for a day. Waits for reports that are being replayed. Resolves with
 * their number, and the time that identifies them for `restoreRefused`.
 */
export async function discardRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter) {
  const [row] = await sql<[{ reports: number; at: Date | null }]>`/* discardRefused */
    with discarded as (
      update refused_report set discarded_at = now() where ${isMeant(sql, teamId, filter)} returning discarded_at
    )
    select count(*)::int as reports, max(discarded_at) as at from discarded`;
  return row;
}

/**
 * Restores reports that were discarded within a day, and resolves with their number.
 * @param at the time of discarding, so that reports that others have discarded stay discarded; default: any
 */
export async function restoreRefused(
  sql: Sql,
  teamId: Uuid,
  filter: RefusedFilter,
  at?: Date,
): Promise<number> {
  const restored = await sql`/* restoreRefused */
    update refused_report set discarded_at = null where ${matches(sql, teamId, filter)}
      ${at ? sql`and discarded_at = ${at}` : sql``}
      and discarded_at > now() - ${restorableMs}::float8 * interval '1 millisecond'`;
  return restored.count;
}

/** Removes kept reports permanently, and resolves with their number. Waits for reports that are being replayed. */
export async function removeRefused(sql: Sql, teamId: Uuid, ids: readonly Uuid[]): Promise<number> {
  const removed = await sql`/* removeRefused */
    delete from refused_report where team_id = ${teamId} and id = ${anyOf(sql, ids, 'uuid')}`;
  return removed.count;
}

/**
 * Removes all kept reports of a buyer permanently, and resolves with their number. Waits for reports that are being
 * replayed.
 */
export async function removeRefusedOf(sql: Sql, teamId: Uuid, email: string): Promise<number> {
  const removed = await sql`/* removeRefusedOf */
    delete from refused_report where team_id = ${teamId} and email = ${email}`;
  return removed.count;
}

/** Lists the teams with kept reports. */
export function listRefusedTeams(sql: Sql, ofTeams: OfTeams) {
  return sql<{ teamId: Uuid }[]>`/* listRefusedTeams */
    select team_id as "teamId" from refused_report where ${ofTeams(sql, 'team_id')} group by team_id`;
}

/** Condition for a report that a source has sent. The shop sends the same event again each time that this server asks it. */
const isOfSource = (sql: Sql, teamId: Uuid) => sql`exists (
    select from api_key where api_key.team_id = ${teamId} and hash = key_hash and source_id is not null
  )`;

/**
 * Empties the sources' reports that were discarded more than a day ago. Their hash remains until they expire, so that
 * the same report is not kept again.
 */
export async function emptyDiscarded(sql: Sql, teamId: Uuid): Promise<void> {
  await sql`/* emptyDiscarded */
    update refused_report set body = '', is_cut = false, issues = '[]', email = null, order_id = null, report_id = null,
      idempotency_key = null, amount = null, currency = null, statement = null
    where team_id = ${teamId} and discarded_at < now() - ${restorableMs}::float8 * interval '1 millisecond'
      and body <> '' and ${isOfSource(sql, teamId)}`;
}

/**
 * Removes a team's settled reports. Leaves out reports that are being replayed. A report is settled:
 * - if it was discarded more than a day ago, and is not of a source;
 * - if its order is stored. The browser may have tried again after its domain was allowed, another page may have named
 *   its host, or an API key may have reported the order. A report that differs from its order is settled if the order
 *   has its amount.
 */
export async function removeSettled(sql: Sql, teamId: Uuid): Promise<number> {
  const removed = await sql`/* removeSettled */
    delete from refused_report where team_id = ${teamId} and id = any(array(
      select id from refused_report
      where team_id = ${teamId} and (
        discarded_at < now() - ${restorableMs}::float8 * interval '1 millisecond' and not ${isOfSource(sql, teamId)}
        or ${isStored(sql, teamId)}
      )
      for update skip locked
    ))`;
  return removed.count;
}

/**
 * Removes the reports with these identities whose order is stored with their amount and currency, because no money is
 * missing.
 */
export async function removeStored(tx: Sql, teamId: Uuid, identities: readonly string[]): Promise<void> {
  const isSameMoney = tx`and o.amount = refused_report.amount and o.currency = refused_report.currency`;
  await tx`/* removeStored */
    delete from refused_report
    where team_id = ${teamId} and identity = ${anyOf(tx, identities)} and ${isStored(tx, teamId, isSameMoney)}`;
}

/** Condition for a report whose order is stored. Each identifier has a separate subquery, so that its index is used. */
const isStored = (sql: Sql, teamId: Uuid, and = sql``) => sql`(
    exists (select ${isSameOrder(sql, teamId)} ${and} and ${hasOrderId(sql, sql`refused_report.order_id`)})
    or exists (select ${isSameOrder(sql, teamId)} ${and} and o.report_id = refused_report.report_id)
    or exists (
      select ${isSameOrder(sql, teamId)} ${and} and o.id in (
        select placed_order_id from order_key
        where team_id = ${teamId} and order_key.key = refused_report.idempotency_key
      )
    )
    or exists (
      select ${isSameOrder(sql, teamId)} ${and} and o.id in (
        select placed_order_id from order_key
        where team_id = ${teamId} and order_key.key = refused_report.order_id and ${isOtherName(sql)}
      )
    )
  )`;

/**
 * Selects the orders that may be a refused report's order. The caller adds a condition on one identifier: a single
 * query with `or` took four times as long for 10,000 reports and 300,000 orders.
 *
 * The buyer is the same. If the report has no valid email, the order was reported by an API key, or is found by the
 * report's id. A report with an API key is compared with orders of the same mode that a key has reported. A page's
 * report is compared with live orders, and with test orders of its host. A `reportId` belongs to one call of `track()`,
 * in whichever mode that was stored.
 */
const isSameOrder = (sql: Sql, teamId: Uuid) => sql`
  from placed_order o
  join person on person.team_id = ${teamId} and person.id = o.person_id
  where o.team_id = ${teamId}
    and (
      person.email = refused_report.email
      or refused_report.email is null and (o.reported_by <> 'browser' or refused_report.order_id is null)
    )
    and (
      reason <> ${orderDiffers}
      or o.amount = refused_report.amount and o.currency = coalesce(refused_report.currency, o.currency)
    )
    and case
      when key_hash is null then
        not o.is_test or refused_report.host = o.host or refused_report.order_id is null
      else o.is_test = (select mode = 'test' from api_key where hash = key_hash) and o.reported_by <> 'browser'
    end`;

/**
 * Removes a team's reports that are older than 30 days by the database's clock. Removes only the oldest day of them, so
 * that a clock that is far ahead costs one day of reports an hour.
 */
export async function removeExpired(sql: Sql, teamId: Uuid): Promise<void> {
  await sql`/* removeExpired */
    delete from refused_report
    where team_id = ${teamId} and received_at < now() - ${refusedKeepMs}::float8 * interval '1 millisecond'
      and received_at < (select min(received_at) from refused_report where team_id = ${teamId}) + interval '1 day'`;
}
