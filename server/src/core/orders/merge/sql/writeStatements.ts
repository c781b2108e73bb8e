import type { Sql } from '../../../../database/connection/connect.js';
import { anyOf } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';
import { statedFields } from '../joinVersions.js';
import type { PlacedObject } from '../plan.js';
import { waitsAs } from '../waitsAs.js';
import type { KeptIdentifier } from './loadNeighbours.js';

/** Locks identifiers until the transaction ends, so that two reports of one order are not merged concurrently. */
export async function lockIdentifiers(tx: Sql, teamId: Uuid, names: readonly string[]): Promise<void> {
  await tx`/* lockIdentifiers */
    select pg_advisory_xact_lock(hash) from (
      select distinct hashtextextended(${teamId} || ' ' || value, 0) as hash
      from json_array_elements_text(${JSON.stringify(names)}::text::json) order by hash
    ) hashes`;
}

/**
 * Inserts or updates statements with the orders that they belong to. A statement without an order waits from now on; one that waits
 * already keeps its time.
 */
export async function writeStatements(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  objects: readonly PlacedObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const rows = objects.map((object) => ({
    object: object.stated.object,
    orderId: object.orderId,
    personId: statedFields(object.stated).personId ?? null,
    waitsAs: waitsAs(object),
    said: object.stated,
  }));
  await tx`/* writeStatements */
    insert into statement (team_id, is_test, object, placed_order_id, person_id, waits_as, waits_since, said)
    select ${teamId}, ${isTest}, object, "orderId", "personId", "waitsAs", case when "orderId" is null then now() end, said
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      object text, "orderId" uuid, "personId" uuid, "waitsAs" text, said json
    )
    order by object
    on conflict (team_id, is_test, object) do update set
      placed_order_id = excluded.placed_order_id, person_id = excluded.person_id, said = excluded.said,
      waits_as = excluded.waits_as,
      waits_since = case when excluded.placed_order_id is null then coalesce(statement.waits_since, excluded.waits_since) end`;
}

/** Removes statements and their identifiers. */
export async function removeStatements(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  objects: readonly string[],
): Promise<void> {
  if (objects.length === 0) return;
  await tx`/* removeStatements */
    delete from statement where team_id = ${teamId} and is_test = ${isTest} and object = ${anyOf(tx, objects)}`;
  await removeIdentifiers(tx, teamId, isTest, objects);
}

async function removeIdentifiers(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  objects: readonly string[],
): Promise<void> {
  await tx`/* removeIdentifiers */
    delete from order_key where team_id = ${teamId} and is_test = ${isTest} and object = ${anyOf(tx, objects)}`;
}

/** @returns true for a refund whose order is known. Its own identifiers are removed, because its payment has the same ones. */
export const isPlacedRefund = ({ stated, orderId }: PlacedObject): boolean =>
  stated.kind === 'refund' && orderId !== null;

/**
 * Moves the identifiers of statements to the orders that these belong to. Removes the identifiers of a refund that has its order,
 * because its payment has the same ones.
 */
export async function moveIdentifiers(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  objects: readonly PlacedObject[],
): Promise<void> {
  const refunds = objects.filter(isPlacedRefund).map(({ stated: { object } }) => object);
  if (refunds.length > 0) await removeIdentifiers(tx, teamId, isTest, refunds);
  const moved = objects
    .filter((object) => !isPlacedRefund(object))
    .map(({ stated: { object }, orderId }) => ({ object, orderId }));
  if (moved.length === 0) return;
  await tx`/* moveIdentifiers */
    update order_key set placed_order_id = moved."orderId"
    from json_to_recordset(${JSON.stringify(moved)}::text::json) as moved (object text, "orderId" uuid)
    where team_id = ${teamId} and is_test = ${isTest} and order_key.object = moved.object`;
}

/** Removes identifiers that are stored without their object. */
export async function removeRowIdentifiers(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  names: readonly KeptIdentifier[],
): Promise<void> {
  if (names.length === 0) return;
  await tx`/* removeRowIdentifiers */
    delete from order_key using json_to_recordset(${JSON.stringify(names)}::text::json) as n (kind text, value text, object text)
    where team_id = ${teamId} and is_test = ${isTest} and order_key.object = n.object and order_key.kind = n.kind and key = n.value`;
}

/** Adds identifiers. One that exists moves to the given order. */
export async function addIdentifiers(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  names: readonly KeptIdentifier[],
): Promise<void> {
  if (names.length === 0) return;
  await tx`/* addIdentifiers */
    insert into order_key (team_id, is_test, kind, key, object, placed_order_id, amount, currency, number, person_id)
    select ${teamId}, ${isTest}, kind, value, object, "orderId", amount, currency, number, "personId"
    from json_to_recordset(${JSON.stringify(names)}::text::json) as n (
      kind text, value text, object text, "orderId" uuid, amount numeric, currency text, number text, "personId" uuid
    )
    order by value, kind, object
    on conflict (team_id, key, is_test, kind, object) do update set placed_order_id = excluded.placed_order_id`;
}
