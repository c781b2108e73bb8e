import type { Sql } from '../../database/connection/connect.js';
import { canReplaceName } from '../../people/sql/personName.js';
import type { Uuid } from '../../values/ids.js';

/** The buyer of an order that is about to be stored. */
export interface NewBuyerRow {
  id: Uuid;
  email: string;
  name: string | null;
  /** True for the name that a live key said. */
  isNameByKey: boolean;
}

/**
 * Adds buyers to a team; a known one gets a name in the place of none, or of a page's. Rows as `values`, which Citus
 * routes whole to the team's machine: it fetches a `select` from JSON to the coordinator first. No two rows may share
 * an id, and their number is a part of the prepared statement.
 */
export async function addBuyers(tx: Sql, teamId: Uuid, buyers: NewBuyerRow[]): Promise<void> {
  const rows = buyers.map((buyer) => ({
    team_id: teamId,
    id: buyer.id,
    email: buyer.email,
    name: buyer.name,
    name_by_key: buyer.isNameByKey,
  }));
  await tx`/* addBuyers */
    insert into person ${tx(rows, 'team_id', 'id', 'email', 'name', 'name_by_key')}
    on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
      where ${canReplaceName(tx)}`;
}
