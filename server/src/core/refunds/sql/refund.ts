import type { Sql } from '../../../database/connection/connect.js';

/** The money of a row of `refund`, as an expression: as it was said, else what it counts. */
export const amountOfRefund = (sql: Sql) => sql`coalesce(refund.amount, refund.counts)`;

/** The time of a row of `refund` that is shown, as an expression: as it was said, unless a clock ahead of ours has said it. */
export const shownTimeOfRefund = (sql: Sql) => sql`least(refund.created_at, now())`;
