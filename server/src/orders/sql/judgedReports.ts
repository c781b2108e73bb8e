import type { LineItem, Source } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { Identifiers } from './findOrders.js';

/** A checked order report with every id it may need, ready to be stored. */
export interface CheckedReport extends Identifiers {
  id: Uuid;
  orderNumber: string;
  /** Follows from team and email, so it is known before the person is. */
  personId: Uuid;
  email: string;
  name: string | null;
  amount: number;
  currency: string;
  source: Source;
  items: LineItem[] | null;
  visitorId: string | null;
  /** The page's host; null for a report with a key. */
  host: string | null;
  createdAt: string;
  /** SHA-256 of the API key that vouches for the report; null for a browser report. */
  keyHash: string | null;
  /** For a browser report the domain entries that would allow its host, the most exact first. */
  domainEntries: string[] | null;
}

/**
 * The common table expressions `report` and `judged`: the reports of one team with what their key or domain says of
 * them, `refusal` and `is_test`. The rows travel as one JSON text: measured against arrays through `unnest`, it took
 * a third less CPU in Node and was 10 % faster at every batch size.
 */
export const judgedReports = (sql: Sql, teamId: Uuid, submissions: CheckedReport[]) => sql`
    report as (
      select * from json_to_recordset(${JSON.stringify(submissions)}::text::json) as r (
        id uuid, "orderNumber" text, "personId" uuid, email text, name text, "orderId" text, "reportId" text,
        "idempotencyKey" text, amount numeric, currency text, source text, items json, "visitorId" text, "createdAt" timestamptz,
        host text, "keyHash" text, "domainEntries" text[]
      )
    ), judged as (
      select report.*,
        case
          when "keyHash" is null then case when allowed.is_test is null then 'domain_not_allowed' end
          when api_key.id is null then 'invalid_api_key'
          when api_key.team_id <> ${teamId} then 'team_mismatch'
        end as refusal,
        coalesce(api_key.mode = 'test', allowed.is_test, false) as is_test
      from report
      left join api_key on api_key.hash = "keyHash" and api_key.revoked_at is null
      left join lateral (
        select domain.is_test from domain
        where domain.team_id = ${teamId} and domain.entry = any("domainEntries")
        order by array_position("domainEntries", domain.entry)
        limit 1
      ) allowed on "keyHash" is null
    )`;
