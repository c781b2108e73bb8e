import type { Sql } from '../connection/connect.js';
import type { ForeignKey } from './foreignKeys.js';

/**
 * The foreign key from an order to its buyer. Tables have it where there is Citus, also because a server that does not
 * know yet that they are distributed finds out by it (`createPlacement`). Others have a trigger instead, since migration
 * 000038: with the key an order took PostgreSQL 81 us, without it 78.
 */
export const buyerKey: ForeignKey = {
  table: 'placed_order',
  references: 'person',
  name: 'placed_order_team_id_person_id_fkey',
  definition: 'FOREIGN KEY (team_id, person_id) REFERENCES person(team_id, id)',
};

/** Drops the trigger that stands for `buyerKey`, which Citus would refuse. False where there is none. */
export async function dropBuyerTrigger(sql: Sql): Promise<boolean> {
  const triggers = await sql`/* findBuyerTrigger */
    select from pg_trigger where tgname = 'person_without_orders' and tgrelid = 'person'::regclass`;
  if (triggers.length === 0) return false;
  await sql`/* dropBuyerTrigger */ drop trigger person_without_orders on person`;
  await sql`/* dropBuyerFunction */ drop function refuse_to_remove_buyer()`;
  return true;
}
