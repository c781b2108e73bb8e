import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import type { ReportedBy } from '../../orders/storedOrder.js';
import { isMeant } from '../../refused/sql/listRefused.js';
import type { Uuid } from '../../values/ids.js';
import { type ShownOrderRow, shownOrderColumns } from './shownOrders.js';

/** The newest content of a team's live pages. */
export interface NewestRow {
  /** The newest orders, the newest first. */
  orders: ShownOrderRow[];
  /** Ids of the newest refused reports that need attention, the newest first. Their bodies may be 64 KiB each. */
  refused: Uuid[];
  /** The hashes of those of the given sessions that have not ended. */
  sessions: string[];
}

/**
 * Reads a team's newest orders from an id on, at most 50, its newest refused reports, at most 5, and which sessions have
 * not ended. It runs every second, so it reads nothing that may be long. Orders are read by id, not by time, because an order that is stored late has an old time and a new id.
 * @param options.isTest undefined for live and test orders
 * @param options.reportedBy undefined for orders of any reporter
 */
export async function findNewOrders(
  sql: Sql,
  teamId: Uuid,
  {
    fromId,
    isTest,
    reportedBy,
    sessions,
  }: {
    fromId: Uuid;
    isTest: boolean | undefined;
    reportedBy: ReportedBy | undefined;
    sessions: string[];
  },
): Promise<NewestRow> {
  const [row] = await sql<[NewestRow]>`/* findNewOrders */
    select
      coalesce((
        select json_agg(found order by found.id desc) from (
          select ${shownOrderColumns(sql, teamId)}
          from placed_order o join person on person.team_id = ${teamId} and person.id = o.person_id
          where o.team_id = ${teamId} and o.id >= ${fromId}
            ${isTest === undefined ? sql`` : sql`and o.is_test = ${isTest}`}
            ${reportedBy ? sql`and o.reported_by = ${reportedBy}` : sql``}
          order by o.id desc
          limit 50
        ) found
      ), '[]'::json) as orders,
      coalesce((
        select json_agg(found.id order by found.id desc) from (
          select id from refused_report
          where ${isMeant(sql, teamId)} and id >= ${fromId}
          order by id desc
          limit 5
        ) found
      ), '[]'::json) as refused,
      coalesce((
        select json_agg(hash) from console_session
        where team_id = ${teamId} and expires_at > now()
          and hash = ${anyOf(sql, sessions)}
      ), '[]'::json) as sessions`;
  const orders = row.orders.map((order) => ({
    ...order,
    createdAt: new Date(order.createdAt),
    mergedAt: order.mergedAt && new Date(order.mergedAt),
  }));
  return { ...row, orders };
}
