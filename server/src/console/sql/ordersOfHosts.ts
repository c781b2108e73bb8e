import { anyOf } from '../../database/anyOf.js';
import type { Sql } from '../../database/connection/connect.js';
import type { Uuid } from '../../values/ids.js';

/** Lists up to 1,000 hosts whose pages have reported orders of a team since a time, those with the most orders first. */
export function listHostsSince(sql: Sql, teamId: Uuid, since: Date) {
  return sql<{ host: string }[]>`/* listHostsSince */
    select host from placed_order
    where team_id = ${teamId} and created_at >= ${since} and host is not null
    group by host
    order by count(*) desc, host
    limit 1000`;
}

/** The orders that pages of some hosts have reported in one currency. */
export interface HostsSumRow {
  currency: string;
  /** Exact text. */
  amount: string;
  /** Number of orders in all currencies. */
  orders: number;
  /** Number of all currencies. */
  currencies: number;
}

/** A page can make up any currency. */
const currenciesAtMost = 10;

/**
 * Adds up the orders that pages of some hosts have reported since a time: the ten currencies with the most orders that a key
 * reported too, then those with the most orders.
 */
export function sumOrdersOfHosts(
  sql: Sql,
  teamId: Uuid,
  { since, hosts }: { since: Date; hosts: readonly string[] },
) {
  return sql<HostsSumRow[]>`/* sumOrdersOfHosts */
    select currency, sum(amount)::text as amount, (sum(count(*)) over ())::int as orders,
      (count(*) over ())::int as currencies
    from placed_order
    where team_id = ${teamId} and created_at >= ${since}
      and host = ${anyOf(sql, hosts)}
    group by currency
    order by count(*) filter (where reported_by <> 'browser') desc, count(*) desc, 1
    limit ${currenciesAtMost}`;
}
