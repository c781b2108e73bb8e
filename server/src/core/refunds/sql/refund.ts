import type { Sql } from '../../../database/connection/connect.js';

/** An expression: the amount of a row of `refund`. It is the stated one, or else the amount that counts. */
export const amountOfRefund = (sql: Sql) => sql`coalesce(refund.amount, refund.counts)`;

/** An expression: the time of a row of `refund` to show. It is the stated one, or now if that is in the future. */
export const shownTimeOfRefund = (sql: Sql) => sql`least(refund.created_at, now())`;
