import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { RefusedReport } from '../refusedReport.js';

/** The refused reports that a team has kept already. */
export interface KeptAlready {
  reports: number;
  /** Counts of the hosts that were asked for and have any. */
  hosts: { host: string; reports: number }[] | null;
  /** Identities that were asked for and are kept already. */
  identities: string[] | null;
  /** Orders that were asked for and whose buyer was erased. */
  erasedOrderIds: string[] | null;
}

/** Counts a team's kept reports, in total and of some hosts; finds reports that are kept already, and orders of erased buyers. */
export async function findKeptAlready(
  sql: Sql,
  teamId: Uuid,
  { hosts, identities, orderIds }: { hosts: string[]; identities: string[]; orderIds: string[] },
): Promise<KeptAlready> {
  const [row] = await sql<[KeptAlready]>`/* findKeptAlready */
    select
      (select count(*)::int from refused_report where team_id = ${teamId}) as reports,
      (
        select json_agg(json_build_object('host', host, 'reports', reports)) from (
          select host, count(*)::int as reports from refused_report
          where team_id = ${teamId}
            and host = any(array(select json_array_elements_text(${JSON.stringify(hosts)}::text::json)))
          group by host
        ) as found
      ) as hosts,
      (
        select json_agg(identity) from refused_report
        where team_id = ${teamId}
          and identity = any(array(select json_array_elements_text(${JSON.stringify(identities)}::text::json)))
      ) as identities,
      (
        select json_agg(order_id) from placed_order
        join person on person.team_id = ${teamId} and person.id = person_id and person.email is null
        where placed_order.team_id = ${teamId}
          and order_id = any(array(select json_array_elements_text(${JSON.stringify(orderIds)}::text::json)))
      ) as "erasedOrderIds"`;
  return row;
}

/** Keeps reports. One that another server has kept meanwhile stays unchanged. */
export async function addRefused(tx: Sql, teamId: Uuid, reports: readonly RefusedReport[]): Promise<void> {
  await tx`/* addRefused */
    insert into refused_report (
      team_id, id, identity, reason, field, issues, host, body, is_cut, key_hash, idempotency_key, sdk_version,
      received_at, last_at, times, email, order_id, report_id, amount, currency
    )
    select ${teamId}, id, identity, reason, field, issues, host, body, "isCut", "keyHash", "idempotencyKey",
      "sdkVersion", "receivedAt", "receivedAt", times, email, "orderId", "reportId", amount, currency
    from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
      id uuid, identity text, reason text, field text, issues json, host text, body text, "isCut" boolean,
      "keyHash" text, "idempotencyKey" text, "sdkVersion" text, "receivedAt" timestamptz, times integer, email text,
      "orderId" text, "reportId" text, amount numeric, currency text
    )
    order by identity
    on conflict (team_id, identity) do nothing`;
}

/**
 * Counts repeated reports, stores the reason of their last refusal, and replaces a cut body by a complete one. Does not wait:
 * reports that are being replayed stay unchanged.
 */
export async function repeatRefused(tx: Sql, teamId: Uuid, reports: readonly RefusedReport[]): Promise<void> {
  await tx`/* repeatRefused */
    with report as (
      select * from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
        identity text, reason text, field text, issues json, body text, "isCut" boolean, "receivedAt" timestamptz,
        times integer
      )
    ), free as materialized (
      select id, identity from refused_report
      where team_id = ${teamId} and identity in (select identity from report)
      order by identity
      for update skip locked
    )
    update refused_report set
      reason = report.reason, field = report.field, issues = report.issues,
      times = refused_report.times + report.times, last_at = greatest(last_at, report."receivedAt"),
      body = case when is_cut and not report."isCut" then report.body else refused_report.body end,
      is_cut = is_cut and report."isCut"
    from free join report using (identity)
    where refused_report.team_id = ${teamId} and refused_report.id = free.id`;
}
