import type { Fragment, Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';

/** The money of a row of `placed_order` that was refunded, as an expression: all that its refunds count. */
export const refundedOf = (sql: Sql, teamId: Uuid, order: Fragment = sql`placed_order`) =>
  sql`coalesce((
      select sum(refund.counts) from refund
      where refund.team_id = ${teamId} and refund.placed_order_id = ${order}.id
    ), 0)`;
