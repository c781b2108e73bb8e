import type { Sql } from '../src/database/connection/connect.js';

/** Stores orders with the numbers `from` to `to` of a person, dated yesterday. */
export async function fillOrders(sql: Sql, personUuid: string, from: number, to: number): Promise<void> {
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, order_id, report_id, amount, currency, source, visitor_id, is_test, reported_by, created_at)
    select team_id, uuidv7(interval '-1 day'), 'ORD-' || upper(substr(md5(n::text), 1, 12)), id, md5('stored' || n), null, 10, 'USD', 'OTHER', 'v', false, 'key', now() - interval '1 day'
    from person, generate_series(${from}::int, ${to}::int) n where id = ${personUuid}`;
}
