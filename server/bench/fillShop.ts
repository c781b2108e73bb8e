import type { Sql } from '../src/database/connection/connect.js';

/** Two years: the longest named range, and the one that it is compared with. */
const days = 730;
const people = 250_000;
/** Number of orders of one statement. */
const pieceOrders = 500_000;

/**
 * Stores orders of a team, spread evenly over the two years until now. They have three currencies and 40 campaigns. A third are
 * only from pages, one of 50 is a test, and one of 50 is refunded.
 */
export async function fillShop(sql: Sql, teamUuid: string, orders: number): Promise<void> {
  await sql`
    insert into person (team_id, id, email, name)
    select ${teamUuid}::uuid, md5('person' || n)::uuid, 'buyer-' || n || '@mail.example', 'Buyer ' || n
    from generate_series(1, ${people}::int) n`;
  for (let from = 1; from <= orders; from += pieceOrders) {
    const to = Math.min(orders, from + pieceOrders - 1);
    await sql`
      insert into placed_order (team_id, id, order_number, person_id, order_id, amount, currency, source, name, items,
        visitor_id, first_touch, last_touch, is_test, reported_by, host, created_at)
      select ${teamUuid}::uuid, uuidv7(at - now()), 'ORD-' || lpad(n::text, 10, '0'),
        md5('person' || n * 7919::bigint % ${people} + 1)::uuid, 'shop-' || n, n % 20000 / 100.0,
        case when n % 20 < 16 then 'EUR' when n % 20 < 19 then 'USD' else 'GBP' end, 'STRIPE',
        'Buyer ' || n * 7919::bigint % ${people} + 1,
        '[{"sku":"TEE-1","name":"T-shirt, organic cotton","quantity":2,"price":24.95}]'::json,
        'visitor-' || n, case when n % 3 > 0 then touch end, case when n % 7 = 0 then touch end, n % 50 = 0,
        case n % 3 when 0 then 'browser' when 1 then 'both' else 'key' end, 'shop.example', at
      from generate_series(${from}::int, ${to}::int) n cross join lateral (
        select now() - (${orders}::int - n) * (interval '1 day' * ${days} / ${orders}) as at, json_build_object(
          'at', now(), 'path', '/', 'referrer', null, 'source', 'source-' || n % 12, 'medium', 'cpc', 'campaign', 'campaign-' || n % 40
        ) as touch
      ) made`;
  }
  await sql`
    insert into refund (team_id, is_test, refund_id, placed_order_id, amount, counts, currency, created_at)
    select team_id, is_test, 'refund-' || order_id, id, amount / 2, amount / 2, currency, created_at + interval '1 hour'
    from placed_order
    where team_id = ${teamUuid} and right(order_id, 2) in ('17', '67') and created_at < now() - interval '1 hour'`;
  await sql`vacuum analyze`;
}
