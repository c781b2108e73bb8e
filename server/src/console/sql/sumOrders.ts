import type { Sql } from '../../database/connection/connect.js';
import { addDecimals } from '../../values/decimal.js';
import type { Uuid } from '../../values/ids.js';
import { isMadeIn, isSelected, type OrderSelection } from './orderSelection.js';

/** Number and money of the orders of a selection. */
export interface OrderSums {
  orders: number;
  /** Set if there may be more orders, because not all were searched. */
  isMore: boolean;
  /** Sums of up to three currencies as exact text, the most orders first. */
  sums: { currency: string; amount: string }[];
  /** Number of other currencies. */
  otherCurrencies: number;
}

const currenciesOfSums = 3;

/** Adds up the orders of a selection among the newest `lookAtMost` orders. */
export async function sumOrders(
  sql: Sql,
  teamId: Uuid,
  { span, ...selection }: OrderSelection,
  lookAtMost: number,
): Promise<OrderSums> {
  const [row] = await sql<[OrderSums]>`/* sumOrders */
    with looked as materialized (
      select * from placed_order
      where team_id = ${teamId} ${isMadeIn(sql, span)}
      order by created_at desc, id desc
      limit ${lookAtMost}
    ), by_currency as (
      select currency, count(*) as orders, sum(amount) as amount, row_number() over (order by count(*) desc, currency) as rank
      from looked o ${selection.search ? sql`join person on person.team_id = ${teamId} and person.id = o.person_id` : sql``}
      where ${isSelected(sql, teamId, selection)}
      group by currency
    )
    select coalesce(sum(orders), 0)::float as orders,
      (select count(*) from looked) = ${lookAtMost} as "isMore",
      coalesce(
        json_agg(json_build_object('currency', currency, 'amount', amount::text) order by rank)
          filter (where rank <= ${currenciesOfSums}), '[]'
      ) as sums,
      (count(*) filter (where rank > ${currenciesOfSums}))::int as "otherCurrencies"
    from by_currency`;
  return row;
}

/** Adds up orders that were read already, so that `sumOrders` need not search them again. */
export function sumFound(found: readonly { currency: string; amount: string }[], isMore: boolean): OrderSums {
  const byCurrency = new Map<string, { orders: number; amount: string }>();
  for (const { currency, amount } of found) {
    const sum = byCurrency.get(currency) ?? { orders: 0, amount: '0' };
    byCurrency.set(currency, { orders: sum.orders + 1, amount: addDecimals(sum.amount, amount) });
  }
  const ranked = [...byCurrency].sort(
    ([one, a], [other, b]) => b.orders - a.orders || (one < other ? -1 : 1),
  );
  return {
    orders: found.length,
    isMore,
    sums: ranked.slice(0, currenciesOfSums).map(([currency, { amount }]) => ({ currency, amount })),
    otherCurrencies: Math.max(0, ranked.length - currenciesOfSums),
  };
}
