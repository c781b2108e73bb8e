import { orderDiffers } from '../../../core/orders/store/answer.js';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { RefusedFilter, RefusedReason } from '../refusedReport.js';
import { causeOf, isMeant, shownCharacters, speakerOf } from './listRefused.js';

/** Kept reports that one fix settles. */
export interface RefusedGroupRow {
  reason: RefusedReason;
  /** Empty for reports with a key, and for pages that name none. */
  host: string;
  /** The first invalid field; empty for none. */
  field: string;
  /** What is wrong with it. */
  cause: string;
  /** The first 16,384 characters of a body, as an example of what was sent: of the newest with a readable amount, if there is one. */
  body: string;
  /** The provider whose source said that one; null for a page and a backend. */
  speaker: string | null;
  reports: number;
  /** Reports without a readable amount, which `sums` lacks. */
  withoutAmount: number;
  /** Sums of the ten currencies with the most reports; amounts are exact texts. */
  sums: { currency: string; amount: string }[];
  /** Number of other currencies. */
  otherCurrencies: number;
  /** The first and the last refusal. */
  firstAt: Date;
  lastAt: Date;
  /** Number of all groups. */
  groups: number;
}

/** Anyone can report from any number of hosts, in any number of currencies. */
const groupsAtMost = 50;
const currenciesAtMost = 10;

/** Groups the kept reports by reason, host, field and what is wrong with it: the 50 groups with the latest refusals. */
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

/** Reports of one currency. */
export interface RefusedSum {
  /** Null for reports without a readable amount or currency. */
  currency: string | null;
  /** Exact text. */
  amount: string;
  /** Number of reports of all currencies whose orders do not count. */
  reports: number;
  /** Number of reports that differ from an order that counts. */
  differing: number;
}

/**
 * Adds up the kept reports of a world: the two currencies with the most reports, because every page names the first one, and a page can
 * make up any number of them. Empty for no reports.
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
