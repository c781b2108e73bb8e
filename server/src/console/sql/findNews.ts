import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';
import type { Section } from '../section.js';

/** State of the newest data that a team's live pages show. */
export interface NewsRow {
  /** Text that changes when the data does. */
  version: string;
  /** Time of the newest row, in milliseconds; 0 without any row. */
  latestAt: number;
}

/**
 * Reads the version of a team's newest data: 50 orders by id, the newest refunds and the news of sections. It runs once a
 * second while a page is open, so it reads only ids and times. Orders are read by id and not by time, because an order that is
 * stored late has an old time and a new id.
 */
export async function findNews(
  sql: Sql,
  teamId: Uuid,
  sections: readonly Pick<Section, 'news'>[],
): Promise<NewsRow> {
  const [row] = await sql<[NewsRow]>`/* findNews */
    with news as (
      (
        select id, greatest(merged_at, created_at) as at from placed_order
        where team_id = ${teamId} order by id desc limit 50
      )
      ${sections.reduce((before, { news }) => (news ? sql`${before} union all (${news(sql, teamId)})` : before), sql``)}
      union all
      (${newestRefunds(sql, teamId, false)})
      union all
      (${newestRefunds(sql, teamId, true)})
    )
    select
      md5(coalesce(string_agg(id::text || at::text, ',' order by id), '')) as version,
      coalesce(extract(epoch from least(max(at), now())) * 1000, 0)::float as "latestAt"
    from news`;
  return row;
}

/** Selects the newest refunds, by their own time. If one is taken back, or finds its order, the version changes. */
const newestRefunds = (sql: Sql, teamId: Uuid, isTest: boolean) => sql`
  select md5(refund_id || placed_order_id || coalesce(counts, -1))::uuid, created_at from refund
  where team_id = ${teamId} and is_test = ${isTest} order by created_at desc limit 5`;
