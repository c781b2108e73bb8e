import { orderDiffers } from '../../../core/orders/store/answer.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { RefusedFilter, RefusedReason } from '../refusedReport.js';
import { causeOf, isMeant, shownCharacters, speakerOf } from './listRefused.js';

/** Kept reports that have the same fix. */
export interface RefusedGroupRow {
  reason: RefusedReason;
  /** Host of the page; empty for reports with an API key, and for pages without a host. */
  host: string;
  /** The first invalid field; empty if no field is invalid. */
  field: string;
  /** The message on the invalid field; see `causeOf`. */
  cause: string;
  /** An example: the first 16,384 characters of the newest body with a readable amount, or else of the newest body. */
  body: string;
  /** The provider whose source sent the example; null for a page and a backend. */
  speaker: string | null;
  reports: number;
  /** Reports without a readable amount, which `sums` does not contain. */
  withoutAmount: number;
  /** Sums of the ten currencies with the most reports. Amounts are exact decimals. */
  sums: { currency: string; amount: string }[];
  /** Number of further currencies. */
  otherCurrencies: number;
  /** Time of the first refusal; `lastAt` is the time of the last one. */
  firstAt: Date;
  lastAt: Date;
  /** Number of all groups, also of those beyond the limit. */
  groups: number;
}

/** Limits of the list: anyone can send reports from any number of hosts, in any number of currencies. */
const groupsAtMost = 50;
const currenciesAtMost = 10;

/** Groups the kept reports by reason, host, field and cause. Returns the 50 groups with the latest refusals. */
export function groupRefused(sql: Sql, teamId: Uuid, filter: RefusedFilter = {}) {
  return sql<RefusedGroupRow[]>`/* groupRefused */
    with part as (
      select reason, host, field, ${causeOf(sql)} as cause, amount is not null and currency is not null as is_read,
        case when amount is not null then currency end as currency, count(*) as reports, sum(amount) as amount,
        min(received_at) as first_at, max(last_at) as last_at, max(id::text) as newest
      from refused_report
      where ${isMeant(sql, teamId, filter)}
      group by 1, 2, 3, 4, 5, 6
    ), latest as (
      select reason, host, field, cause, count(*) over () as groups from part
      group by reason, host, field, cause
      order by max(last_at) desc, reason, host, field, cause
      limit ${groupsAtMost}
    ), ranked as (
      select *, row_number() over (
        partition by reason, host, field, cause order by is_read desc, reports desc, currency
      ) as rank
      from part join latest using (reason, host, field, cause)
    ), grouped as (
      select reason, host, field, cause, sum(reports)::int as reports,
        coalesce(sum(reports) filter (where not is_read), 0)::int as "withoutAmount",
        coalesce(
          json_agg(json_build_object('currency', currency, 'amount', amount::text) order by rank)
            filter (where is_read and rank <= ${currenciesAtMost}), '[]'
        ) as sums,
        (count(*) filter (where is_read and rank > ${currenciesAtMost}))::int as "otherCurrencies",
        min(first_at) as "firstAt", max(last_at) as "lastAt", coalesce(max(newest) filter (where is_read), max(newest))::uuid as newest, groups::int
      from ranked
      group by reason, host, field, cause, groups
    )
    select grouped.*, left(body, ${shownCharacters}) as body, ${speakerOf(sql)} as speaker
    from grouped join refused_report on refused_report.team_id = ${teamId} and id = newest
    order by "lastAt" desc, grouped.reason, grouped.host, grouped.field, cause`;
}

/** Money of the kept reports in one currency, and counts of all. */
export interface RefusedSum {
  /** Currency of the sum; null for reports without a readable amount or currency. */
  currency: string | null;
  /** An exact decimal. */
  amount: string;
  /** Number of reports in all currencies whose orders do not count. */
  reports: number;
  /** Number of reports that differ from an order that counts. */
  differing: number;
}

/**
 * Adds up the kept reports of a mode, for the two currencies with the most reports. Pages can make up any number of
 * currencies, so others are left out. Empty if there are no reports.
 */
export function sumRefused(sql: Sql, teamId: Uuid, isTest: boolean) {
  return sql<RefusedSum[]>`/* sumRefused */
    select case when amount is not null and reason <> ${orderDiffers} then currency end as currency,
      coalesce(sum(amount), 0)::text as amount,
      (sum(count(*) filter (where reason <> ${orderDiffers})) over ())::int as reports,
      (sum(count(*) filter (where reason = ${orderDiffers})) over ())::int as differing
    from refused_report
    where ${isMeant(sql, teamId, { isTest })}
    group by 1
    order by bool_and(amount is null or currency is null or reason = ${orderDiffers}), count(*) desc, 1
    limit 2`;
}
