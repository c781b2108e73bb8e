import type { Sql } from '../../database/connection/connect.js';
import type { RefusedRow } from '../../refused/refusedReport.js';
import { isMeant, isWaiting, refusedColumns } from '../../refused/sql/conditions.js';
import type { Uuid } from '../../values/ids.js';
import { type ShownOrderRow, shownOrderColumns } from './shownOrders.js';

/** What the console's live pages of one team ask once a second. */
export interface NewsRow {
  /** The newest orders, the newest first. */
  orders: ShownOrderRow[];
  /** The newest refused reports that wait to be mended, the newest first. */
  refused: RefusedRow[];
  /** Those of the asked sessions that are still live. */
  sessions: string[];
}

/**
 * Reads the newest orders of a team from an id on, live or test or both, at most 50, its newest refused reports, at most 5,
 * and which sessions are live.
 * By id and not by time: an order that is stored late has an old time and a new id.
 */
export async function findNewOrders(
  sql: Sql,
  teamId: Uuid,
  {
    fromId,
    isTest,
    sessions,
    now,
  }: { fromId: Uuid; isTest: boolean | undefined; sessions: string[]; now: Date },
): Promise<NewsRow> {
  const [row] = await sql<[NewsRow]>`/* findNewOrders */
    select
      coalesce((
        select json_agg(found order by found.id desc) from (
          select ${shownOrderColumns(sql)}
          from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
          where o.team_id = ${teamId} and o.id >= ${fromId}
            ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
          order by o.id desc
          limit 50
        ) found
      ), '[]'::json) as orders,
      coalesce((
        select json_agg(found order by found.id desc) from (
          select ${refusedColumns(sql)} from refused_report
          where ${isMeant(sql, teamId, {})} and id >= ${fromId} and ${isWaiting(sql, teamId)}
          order by id desc
          limit 5
        ) found
      ), '[]'::json) as refused,
      coalesce((
        select json_agg(hash) from console_session
        where team_id = ${teamId} and expires_at > ${now}
          and hash in (select json_array_elements_text(${JSON.stringify(sessions)}::text::json))
      ), '[]'::json) as sessions`;
  const orders = row.orders.map((order) => ({
    ...order,
    createdAt: new Date(order.createdAt),
    mergedAt: order.mergedAt && new Date(order.mergedAt),
  }));
  const refused = row.refused.map((entry) => ({
    ...entry,
    receivedAt: new Date(entry.receivedAt),
    lastAt: new Date(entry.lastAt),
    // In JSON a number of PostgreSQL is a number of JavaScript.
    amount: entry.amount === null ? null : String(entry.amount),
  }));
  return { orders, refused, sessions: row.sessions };
}
