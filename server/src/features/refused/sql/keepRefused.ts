import { hasOrderId } from '../../../core/orders/store/sql/placedOrder.js';
import type { Sql } from '../../../database/connection/connect.js';
import { anyOf } from '../../../database/parameters.js';
import type { Uuid } from '../../../values/ids.js';
import type { NewRefused } from '../refusedReport.js';

/** State of a team's kept reports that is needed to keep new ones. */
export interface Held {
  /** Number of kept reports of each API key or host that sent the new ones. */
  senders: { sender: string; reports: number }[] | null;
  /** Number of kept reports of hosts that are not the team's. */
  others: number;
  /** Identities of the new reports that are kept already. */
  identities: string[] | null;
  /**
   * Identifiers of live orders whose buyer was erased. Test orders do not count, so that they cannot stop a live order
   * from being kept.
   */
  erased: string[] | null;
}

/** Returns the API key's hash or the host that sent a report, as the index `refused_report_sender` has it. */
export const senderOf = ({ keyHash, host }: Pick<NewRefused, 'keyHash' | 'host'>): string => keyHash ?? host;

/**
 * Counts a team's kept reports, to keep new ones. `senders` counts those of each API key or host that sent the new reports, and
 * `others` those of all hosts that are not the team's. Also finds which of the new reports are kept already, or name the live order
 * of an erased buyer.
 */
export async function findHeld(sql: Sql, teamId: Uuid, reports: readonly NewRefused[]): Promise<Held> {
  const senders = [...new Set(reports.map(senderOf))];
  const identities = reports.map(({ identity }) => identity);
  const names = reports.flatMap(({ orderId, reportId, idempotencyKey }) =>
    [orderId, reportId, idempotencyKey].filter((name) => name !== null),
  );
  const [row] = await sql<[Held]>`/* findHeld */
    select
      (
        select json_agg(held) from (
          select coalesce(key_hash, host) as sender, count(*)::int as reports from refused_report
          where team_id = ${teamId} and coalesce(key_hash, host) = ${anyOf(sql, senders)} and discarded_at is null
          group by 1
        ) held
      ) as senders,
      (
        select count(*)::int from refused_report
        where team_id = ${teamId} and not is_own and discarded_at is null
      ) as others,
      (
        select json_agg(identity) from refused_report
        where team_id = ${teamId} and identity = ${anyOf(sql, identities)}
      ) as identities,
      (
        select json_agg(name) from (
          select order_id as name, person_id from placed_order o
          where team_id = ${teamId} and ${hasOrderId(sql, anyOf(sql, names))} and not is_test
          union all
          select report_id, person_id from placed_order
          where team_id = ${teamId} and report_id = ${anyOf(sql, names)} and not is_test
          union all
          select order_key.key, placed_order.person_id
          from order_key join placed_order on placed_order.team_id = ${teamId} and id = placed_order_id
          where order_key.team_id = ${teamId} and order_key.key = ${anyOf(sql, names)} and not order_key.is_test
        ) named
        where exists (
          select from person where person.team_id = ${teamId} and person.id = person_id and email is null
        )
      ) as erased`;
  return row;
}

/** A report to keep, or a kept one that was refused again. */
export interface KeptReport extends NewRefused {
  isOwn: boolean;
  isTest: boolean;
}

/** Stores reports. A report that another server has stored concurrently stays unchanged. */
export async function addRefused(tx: Sql, teamId: Uuid, reports: readonly KeptReport[]): Promise<void> {
  await tx`/* addRefused */
    insert into refused_report (
      team_id, id, identity, reason, field, issues, host, is_own, is_test, body, is_cut, key_hash, idempotency_key, sdk_version,
      received_at, last_at, times, email, order_id, report_id, amount, currency, statement
    )
    select ${teamId}, id, identity, reason, field, issues, host, "isOwn", "isTest", body, false, "keyHash", "idempotencyKey",
      "sdkVersion", "receivedAt", "receivedAt", times, email, "orderId", "reportId", amount, currency, statement
    from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
      id uuid, identity text, reason text, field text, issues json, host text, "isOwn" boolean, "isTest" boolean, body text,
      "keyHash" text, "idempotencyKey" text, "sdkVersion" text, "receivedAt" timestamptz,
      times integer, email text, "orderId" text, "reportId" text, amount numeric, currency text, statement json
    )
    order by identity
    on conflict (team_id, identity) do nothing`;
}

/**
 * Counts repeated reports, and stores the reason of their last refusal. A discarded report stays discarded. Does not
 * wait: reports that are being replayed stay unchanged.
 */
export async function repeatRefused(tx: Sql, teamId: Uuid, reports: readonly KeptReport[]): Promise<void> {
  await tx`/* repeatRefused */
    with report as (
      select * from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
        identity text, reason text, field text, issues json, "isOwn" boolean, "isTest" boolean, body text,
        "receivedAt" timestamptz, times integer
      )
    ), free as materialized (
      select id, identity from refused_report
      where team_id = ${teamId} and identity = any(array(select identity from report))
      order by identity
      for update skip locked
    )
    update refused_report set
      reason = report.reason, field = report.field, issues = report.issues, is_own = report."isOwn", is_test = report."isTest",
      times = refused_report.times + report.times, last_at = greatest(last_at, report."receivedAt"),
      -- A 0.3.0 server keeps the first 64 KiB of a longer body.
      body = case when is_cut then report.body else refused_report.body end, is_cut = false
    from free join report using (identity)
    where refused_report.team_id = ${teamId} and refused_report.id = free.id
      and refused_report.id = any(array(select id from free))`;
}

/**
 * Removes the oldest of a team's own reports, or of all others, beyond a number. Resolves with the number of removed
 * ones. Leaves out reports that are being replayed.
 */
export async function removeOldest(tx: Sql, teamId: Uuid, isOwn: boolean, kept: number): Promise<number> {
  const removed = await tx`/* removeOldest */
    with oldest as materialized (
      select id from refused_report where team_id = ${teamId} and is_own = ${isOwn}
      order by received_at desc, id desc offset ${kept}
    ), free as materialized (
      select id from refused_report where team_id = ${teamId} and id = any(array(select id from oldest))
      for update skip locked
    )
    delete from refused_report where team_id = ${teamId} and id = any(array(select id from free))`;
  return removed.count;
}

/** Updates kept reports with the reasons for which a replay has refused them. */
export async function updateRefused(
  tx: Sql,
  teamId: Uuid,
  refused: readonly Pick<NewRefused, 'id' | 'reason' | 'field' | 'issues'>[],
): Promise<void> {
  await tx`/* updateRefused */
    update refused_report set reason = r.reason, field = r.field, issues = r.issues
    from json_to_recordset(${JSON.stringify(refused)}::text::json) as r (id uuid, reason text, field text, issues json)
    where refused_report.team_id = ${teamId} and refused_report.id = r.id`;
}
