import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { SenderKind } from '../refusedBounds.js';
import type { RefusedReport } from '../refusedReport.js';

/** The refused reports that a team has kept already. */
export interface KeptAlready {
  /** Places of the kinds of sender that have any, and of the sender of each kind that has the most. */
  kinds: { kind: SenderKind; places: number; fullest: number }[] | null;
  /** Places of the senders that were asked for and have any. */
  senders: { kind: SenderKind; sender: string; places: number }[] | null;
  /** Identities that were asked for and are kept already. */
  identities: string[] | null;
  /** Identifiers that were asked for and name the order of an erased buyer. */
  erasedOrderIds: string[] | null;
  erasedReportIds: string[] | null;
  erasedKeys: string[] | null;
}

/** Senders and identities to look for, and identifiers of the orders. */
interface KeptAsked {
  senders: string[];
  identities: string[];
  orderIds: string[];
  reportIds: string[];
  idempotencyKeys: string[];
}

/** Lets one transaction at a time count and fill the places of a team. Held until the transaction ends. */
export async function lockPlaces(tx: Sql, teamId: Uuid): Promise<void> {
  await tx`/* lockPlaces */
    select pg_advisory_xact_lock(hashtext('orderbeacon refused reports'), hashtext(${teamId}))`;
}

/**
 * Adds up the places of a team's kept reports from an index alone; finds reports that are kept already, and orders of
 * erased buyers.
 */
export async function findKeptAlready(
  sql: Sql,
  teamId: Uuid,
  { senders = [], identities = [], orderIds = [], reportIds = [], idempotencyKeys = [] }: Partial<KeptAsked>,
): Promise<KeptAlready> {
  const keys = anyOf(sql, idempotencyKeys);
  const isOfErased = sql`exists (
          select from person where person.team_id = ${teamId} and person.id = person_id and email is null
        )`;
  const [row] = await sql<[KeptAlready]>`/* findKeptAlready */
    with held as materialized (
      select case when key_hash is not null then 'key' when is_allowed then 'allowed' else 'unknown' end as kind,
        coalesce(key_hash, host) as sender, sum(places)::int as places
      from refused_report where team_id = ${teamId}
      group by key_hash, is_allowed, host
    )
    select
      (
        select json_agg(found) from (
          select kind, sum(places)::int as places, max(places) as fullest from held group by kind
        ) as found
      ) as kinds,
      (
        select json_agg(held) from held
        where sender = ${anyOf(sql, senders)}
      ) as senders,
      (
        select json_agg(identity) from refused_report
        where team_id = ${teamId}
          and identity = ${anyOf(sql, identities)}
      ) as identities,
      (
        select json_agg(order_id) from placed_order
        where team_id = ${teamId} and order_id = ${anyOf(sql, orderIds)} and ${isOfErased}
      ) as "erasedOrderIds",
      (
        select json_agg(report_id) from placed_order
        where team_id = ${teamId} and report_id = ${anyOf(sql, reportIds)} and ${isOfErased}
      ) as "erasedReportIds",
      (
        select json_agg(key) from (
          select idempotency_key as key, person_id from placed_order
          where team_id = ${teamId} and idempotency_key = ${keys}
          union all
          select order_key.idempotency_key, placed_order.person_id
          from order_key join placed_order on placed_order.team_id = ${teamId} and id = placed_order_id
          where order_key.team_id = ${teamId} and order_key.idempotency_key = ${keys}
        ) named
        where ${isOfErased}
      ) as "erasedKeys"`;
  return row;
}

/** Keeps reports. One that another server has kept meanwhile stays unchanged. */
export async function addRefused(tx: Sql, teamId: Uuid, reports: readonly RefusedReport[]): Promise<void> {
  await tx`/* addRefused */
    insert into refused_report (
      team_id, id, identity, reason, field, issues, host, body, is_cut, key_hash, idempotency_key, sdk_version,
      received_at, last_at, times, email, order_id, report_id, amount, currency, is_allowed, places
    )
    select ${teamId}, id, identity, reason, field, issues, host, body, "isCut", "keyHash", "idempotencyKey",
      "sdkVersion", "receivedAt", "receivedAt", times, email, "orderId", "reportId", amount, currency,
      "isAllowed", places
    from json_to_recordset(${JSON.stringify(reports)}::text::json) as r (
      id uuid, identity text, reason text, field text, issues json, host text, body text, "isCut" boolean,
      "keyHash" text, "idempotencyKey" text, "sdkVersion" text, "receivedAt" timestamptz, times integer, email text,
      "orderId" text, "reportId" text, amount numeric, currency text, "isAllowed" boolean, places integer
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
        times integer, "isAllowed" boolean, places integer
      )
    ), free as materialized (
      select id, identity from refused_report
      where team_id = ${teamId} and identity = any(array(select identity from report))
      order by identity
      for update skip locked
    )
    update refused_report set
      reason = report.reason, field = report.field, issues = report.issues,
      times = refused_report.times + report.times, last_at = greatest(last_at, report."receivedAt"),
      body = case when is_cut and not report."isCut" then report.body else refused_report.body end,
      is_cut = is_cut and report."isCut", is_allowed = report."isAllowed",
      places = case when is_cut and not report."isCut" then report.places else refused_report.places end
    from free join report using (identity)
    where refused_report.team_id = ${teamId} and refused_report.id = free.id
      and refused_report.id = any(array(select id from free))`;
}
