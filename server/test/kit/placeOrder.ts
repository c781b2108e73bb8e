import type { Sql } from '../../src/database/connection/connect.js';
import { findSecret } from '../../src/database/installation.js';
import { newUuid, personUuid, type Uuid } from '../../src/values/ids.js';

/** Columns of a stored order that a test sets, in camel case. Defaults are those of a page's order for 1 USD. */
interface GivenOrder {
  /** Email of the buyer, who is added if unknown. */
  email?: string;
  createdAt?: Date | string;
  [column: string]: unknown;
}

let count = 0;

/** Stores an order without a report. Resolves with its id. */
export async function placeOrder(sql: Sql, team: Uuid, order: GivenOrder = {}): Promise<Uuid> {
  const [id] = await placeOrders(sql, team, [order]);
  return id!;
}

/** Stores any number of orders with two statements. Resolves with their ids. */
export async function placeOrders(sql: Sql, team: Uuid, orders: GivenOrder[]): Promise<Uuid[]> {
  const secret = await findSecret(sql);
  const buyers = new Map<string, Uuid>();
  const rows = orders.map(({ email = 'ann@buyer.example', createdAt = new Date(), ...columns }) => {
    buyers.set(email, buyers.get(email) ?? personUuid(secret, team, email));
    const at = new Date(createdAt);
    return {
      team_id: team,
      id: newUuid(at.getTime()),
      order_number: `ORD-${String(++count).padStart(10, '0')}`,
      person_id: buyers.get(email)!,
      amount: 1,
      currency: 'USD',
      source: 'OTHER',
      is_test: false,
      reported_by: 'browser',
      created_at: at.toISOString(),
      ...Object.fromEntries(Object.entries(columns).map(([name, value]) => [snakeCased(name), value])),
    };
  });
  const people = [...buyers].map(([email, id]) => ({ team_id: team, id, email }));
  await sql`
    insert into person (team_id, id, email)
    select team_id, id, email from json_populate_recordset(null::person, ${JSON.stringify(people)}::text::json)
    on conflict do nothing`;
  await sql`
    insert into placed_order select * from json_populate_recordset(null::placed_order, ${JSON.stringify(rows)}::text::json)`;
  return rows.map(({ id }) => id);
}

const snakeCased = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
