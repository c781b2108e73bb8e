import type { OfTeams } from '../../../database/askAllTeams.js';
import type { Sql } from '../../../database/connection/connect.js';
import { isUnsupported } from '../../../database/failures.js';
import { anyOf } from '../../../database/parameters.js';
import { doAll } from '../../../values/doAll.js';
import { ApiError } from '../../../values/errors.js';
import type { Uuid } from '../../../values/ids.js';
import { describeIssues } from '../../../values/issues.js';
import { limits } from '../../../values/limits.js';
import type { PlaceStatements } from './placing.js';
import type { PlacedObject } from './plan.js';
import type { StatedObject } from './statement.js';
import { type WaitsAs, waitsAs } from './waitsAs.js';

/** Limits of waiting statements, by the reason why they wait. `atMost` is per team and mode. */
export const waitingBounds = {
  refund: { atMost: limits.waitingRefunds, hours: 720 },
  end: { atMost: 10_000, hours: 72 },
  page: { atMost: 1_000, hours: 720 },
} as const satisfies Record<WaitsAs, { atMost: number; hours: number }>;

/**
 * Leaves out new waiting statements if the limit is reached. Only statements without money are left out silently.
 * @throws ApiError `invalid_request` for a refund
 */
export async function requireRoom(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  objects: readonly PlacedObject[],
): Promise<PlacedObject[]> {
  const room = new Map<WaitsAs, number>();
  const kept: PlacedObject[] = [];
  for (const object of objects) {
    const why = waitsAs(object);
    if (why === null || object.stored !== null) {
      kept.push(object);
      continue;
    }
    const { atMost } = waitingBounds[why];
    const waiting = room.get(why) ?? (await countWaiting(tx, teamId, isTest, why, atMost));
    room.set(why, waiting + 1);
    if (waiting < atMost) kept.push(object);
    else if (why === 'refund') throw tooManyWait(waiting);
  }
  return kept;
}

function tooManyWait(waiting: number): ApiError {
  const message = `names no stored order, and ${waiting} refunds wait for theirs already`;
  return new ApiError('invalid_request', describeIssues({ issues: [{ path: ['orderId'], message }] }));
}

async function countWaiting(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  why: WaitsAs,
  atMost: number,
): Promise<number> {
  const [row] = await tx<[{ count: number }]>`/* countWaiting */
    select count(*)::int as count from (
      select from statement
      where team_id = ${teamId} and placed_order_id is null and waits_as = ${why} and is_test = ${isTest} limit ${atMost}
    ) waiting`;
  return row.count;
}

/** An order that other statements may concern: one may wait for it, or another order has its number, shop id or payment. */
interface MeantOrder {
  id: Uuid;
  isTest: boolean;
}

/** A condition: true for an order `o` that has an identifier of a waiting statement, or a number or shop id of another order. */
const isMeant = (sql: Sql, teamId: Uuid) => sql`(
      exists (
        select from order_key k
        where k.team_id = ${teamId} and k.key = o.order_id and k.is_test = o.is_test
          and (k.placed_order_id is null or (k.kind in ('number', 'shopOrder') and k.placed_order_id <> o.id))
          and (k.placed_order_id is null or k.kind in ('number', 'shopOrder'))
      ) or exists (
        select from order_key k
        where k.team_id = ${teamId} and k.placed_order_id is null and k.is_test = o.is_test
          and k.key = any(array(
            select own.key from order_key own where own.team_id = ${teamId} and own.placed_order_id = o.id
          ))
      )
    )`;

/** Selects, from some orders, those that are a `MeantOrder`. */
export function listMeant(sql: Sql, teamId: Uuid, ids: readonly Uuid[]) {
  return sql<MeantOrder[]>`/* listMeant */
    select o.id, o.is_test as "isTest" from placed_order o
    where o.team_id = ${teamId} and o.id = ${anyOf(sql, ids, 'uuid')} and ${isMeant(sql, teamId)}`;
}

/** Selects, from some orders, those that have a payment's id in common with another order. */
export function listOfSamePayment(sql: Sql, teamId: Uuid, ids: readonly Uuid[]) {
  return sql<MeantOrder[]>`/* listOfSamePayment */
    select distinct own.placed_order_id as id, own.is_test as "isTest"
    from order_key own join order_key k on k.team_id = own.team_id and k.key = own.key and k.kind = own.kind
      and k.is_test = own.is_test and k.placed_order_id <> own.placed_order_id
    where own.team_id = ${teamId} and own.placed_order_id = ${anyOf(sql, ids, 'uuid')} and own.kind = 'provider'`;
}

/** Lists orders for which statements wait, at most 500. */
export function listAwaited(sql: Sql, teamId: Uuid) {
  return sql<MeantOrder[]>`/* listAwaited */
    -- Name by name, because a planner without statistics would read all names of the team.
    with waiting as materialized (
      select key, is_test from order_key where team_id = ${teamId} and placed_order_id is null
    )
    select o.id, o.is_test as "isTest" from waiting cross join lateral (
      select id, is_test from placed_order
      where team_id = ${teamId} and order_id = waiting.key and is_test = waiting.is_test and shares_id_with is null
      union all
      select id, is_test from placed_order
      where team_id = ${teamId} and order_id = waiting.key and is_test = waiting.is_test and shares_id_with is not null
      offset 0
    ) o
    union
    select k.placed_order_id, k.is_test from waiting cross join lateral (
      select placed_order_id, is_test from order_key
      where team_id = ${teamId} and key = waiting.key and is_test = waiting.is_test
        and placed_order_id is not null and kind not in ('idempotency', 'parent')
      offset 0
    ) k
    limit 500`;
}

/** Lists orders of the last ten minutes that are a `MeantOrder`, at most 500. */
export function listMeantOfLate(sql: Sql, teamId: Uuid) {
  return sql<MeantOrder[]>`/* listMeantOfLate */
    select o.id, o.is_test as "isTest" from placed_order o
    where o.team_id = ${teamId} and ${isMeant(sql, teamId)} and o.id >= (
      lpad(to_hex((extract(epoch from now() - interval '10 minutes') * 1000)::bigint), 12, '0') || ${'0'.repeat(20)}
    )::uuid
    order by o.id limit 500`;
}

/** Lists the teams in which a statement waits, or an order has a second number. */
export async function listWaitingTeams(sql: Sql, ofTeams: OfTeams): Promise<{ teamId: Uuid }[]> {
  const mayWait = sql`(placed_order_id is null or kind in ('number', 'shopOrder'))`;
  try {
    return await sql<{ teamId: Uuid }[]>`/* listWaitingTeams */
      select id as "teamId" from team where exists (
        select from order_key where ${ofTeams(sql, 'order_key.team_id')} and team_id = team.id and ${mayWait}
      )`;
  } catch (error) {
    // Citus cannot evaluate `exists` for each team, so all such identifiers are read.
    if (!isUnsupported(error)) throw error;
    return sql<{ teamId: Uuid }[]>`/* listWaitingTeamsOfNodes */
      select distinct team_id as "teamId" from order_key where ${ofTeams(sql, 'team_id')} and ${mayWait}`;
  }
}

/**
 * Removes a team's statements that have waited too long by the database's time, with their identifiers. Unpaid ends hold no money,
 * and pages were kept as refused when they were set aside.
 * @returns the removed live refunds
 */
export async function removeExpired(sql: Sql, teamId: Uuid): Promise<StatedObject[]> {
  const refunds: StatedObject[] = [];
  for (const [why, { hours }] of Object.entries(waitingBounds)) {
    const expired = await sql<{ said: StatedObject; isTest: boolean }[]>`/* removeExpired */
      with expired as (
        delete from statement
        where team_id = ${teamId} and placed_order_id is null and waits_as = ${why}
          and waits_since < now() - ${hours}::int * interval '1 hour'
        returning object, is_test, said
      ), unnamed as (
        delete from order_key using expired
        where order_key.team_id = ${teamId} and order_key.object = expired.object and order_key.is_test = expired.is_test
          and order_key.placed_order_id is null
      )
      select said, is_test as "isTest" from expired`;
    if (why === 'refund') refunds.push(...expired.flatMap(({ said, isTest }) => (isTest ? [] : said)));
  }
  return refunds;
}

/** Places the statements that wait for one order. Called before the order is read. Locks nothing if no statement waits. */
export type SettleOrder = (sql: Sql, teamId: Uuid, orderId: Uuid) => Promise<void>;

export const createSettleOrder =
  (place: PlaceStatements): SettleOrder =>
  (sql, teamId, orderId) =>
    settleMeant(sql, place, teamId, [orderId]);

/** Places the statements that wait for some orders. */
export async function settleMeant(
  sql: Sql,
  place: PlaceStatements,
  teamId: Uuid,
  ids: readonly Uuid[],
): Promise<void> {
  await placeAll(place, teamId, await listMeant(sql, teamId, ids));
}

/** Places the stored statements of some orders again. */
export const placeAll = (
  place: PlaceStatements,
  teamId: Uuid,
  orders: readonly MeantOrder[],
): Promise<void> => doAll(orders, ({ id, isTest }) => place(teamId, isTest, { stated: [], orderIds: [id] }));
