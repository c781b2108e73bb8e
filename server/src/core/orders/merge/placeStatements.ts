import type { Sql } from '../../../database/connection/connect.js';
import { isRetryableConflict } from '../../../database/failures.js';
import { attemptsAtMost, inTransaction } from '../../../database/inTransaction.js';
import { ApiError } from '../../../values/errors.js';
import { newOrderNumber, newUuid, type Uuid } from '../../../values/ids.js';
import { type Listeners, notifyListeners } from '../../listener.js';
import type { NewId } from './giveIds.js';
import { type Loaded, loadAll, roundsAtMost } from './loadAll.js';
import type { Placed, PlaceStatements, Placing } from './placing.js';
import type { Plan, PlannedOrder } from './plan.js';
import { planOrders } from './planOrders.js';
import type { Wanted } from './sql/loadNeighbours.js';
import { reachesMore } from './sql/reachesMore.js';
import { lockOrders } from './sql/writeOrders.js';
import { lockIdentifiers } from './sql/writeStatements.js';
import { displacedPage, notifyUnplaced } from './unplaced.js';
import { writePlan, writesOf } from './writePlan.js';

type Written = Omit<Placed, 'mergedIds'>;

const mergedIdsOf = ({ orders }: Plan): Uuid[] =>
  orders.flatMap(({ duplicates }) => duplicates.map(({ id }) => id));

/**
 * Creates the function through which every statement about an order is added or removed. It loads all orders and waiting statements
 * that the identifiers reach, plans what follows from all statements, and writes the differences. It locks nothing if nothing
 * changes. After a commit it looks again, because two statements about one order may have been placed concurrently.
 * @param onWaiting called with a team if a statement waits or an order has a second number, so that new orders are compared with
 *   these
 * @param onStored called after a commit, with the new orders; default: notifies the listeners without waiting for them
 * @throws ApiError `unavailable` after five attempts; whatever `check` throws; the database's errors
 */
export function createPlaceStatements(
  sql: Sql,
  listeners: Listeners,
  onWaiting: (teamId: Uuid) => void = () => {},
  onStored: (teamId: Uuid, orders: readonly { id: Uuid; createdAt: string }[]) => void = (...stored) =>
    void notifyListeners(listeners, 'onReportsStored', ...stored).catch(() => {}),
): PlaceStatements {
  return async function placeStatements(teamId, isTest, placing) {
    const placed = await place(teamId, isTest, placing);
    if (!placed.isWritten) return { ...placed, mergedIds: [] };
    const added = placed.plan.orders.filter(({ before }) => before === null);
    onStored(
      teamId,
      added.map(({ id, folded }) => ({ id, createdAt: folded.createdAt })),
    );
    if (
      placed.plan.objects.some(({ orderId }) => orderId === null) ||
      placed.plan.orders.some(hasSecondNumber)
    )
      onWaiting(teamId);
    const again = await lookAgain(teamId, isTest, placed.plan);
    if (!isTest)
      for (const plan of again ? [placed.plan, again] : [placed.plan])
        for (const { stated, before, isSetAside } of plan.objects)
          if (isSetAside && before !== null) notifyUnplaced(listeners, teamId, displacedPage(teamId, stated));
    return { ...placed, mergedIds: [...mergedIdsOf(placed.plan), ...(again ? mergedIdsOf(again) : [])] };
  };

  async function place(teamId: Uuid, isTest: boolean, placing: Placing): Promise<Written> {
    for (let attempt = 0; attempt < attemptsAtMost; attempt++) {
      try {
        const placed = await tryOnce(teamId, isTest, placing);
        if (placed) return placed;
      } catch (error) {
        // The next attempt finds what another report has stored concurrently.
        if (!isRetryableConflict(error)) throw error;
      }
    }
    throw new ApiError('unavailable', { message: 'Too many concurrent reports of this order; try again.' });
  }

  /**
   * Plans and writes the changes once. If orders that the plan needs were stored concurrently, it locks these too, and plans again.
   * @returns null if that happened in every round
   */
  async function tryOnce(teamId: Uuid, isTest: boolean, placing: Placing): Promise<Written | null> {
    // Most repeats change nothing, so they need no lock and no write.
    const seen = await plan(sql, teamId, isTest, placing);
    if (!writesOf(seen.plan, placing, seen.neighbours)) return { plan: seen.plan, isWritten: false };
    const locked = new Set(seen.neighbours.orders.map(({ id }) => id));
    const isFirst = locked.size === 0 && seen.neighbours.statements.length === 0;
    const { names, objects: newObjects } = wantedOf(placing);
    const lookIn = async (tx: Sql) => {
      const none = { orderIds: [], objects: [], newObjects };
      if (isFirst && !(await reachesMore(tx, teamId, isTest, names, none))) return seen;
      // Most orders have the identifiers of the first look, and are found in one round by these.
      return plan(tx, teamId, isTest, placing, { ...wantedOf(placing), names: seen.names });
    };
    for (let round = 0; round < roundsAtMost; round++) {
      const placed = await inTransaction(sql, async (tx) => {
        // Sent together, the three cost one round trip. Each sees what was committed before it began.
        const [, , now] = await Promise.all([
          lockIdentifiers(tx, teamId, lockedIdentifiers(placing)),
          lockOrders(tx, teamId, [...locked]),
          lookIn(tx),
        ]);
        const others = now.neighbours.orders.filter(({ id }) => !locked.has(id));
        for (const { id } of others) locked.add(id);
        // An order that was stored concurrently is not locked: its newer statements would be overwritten.
        if (others.length > 0) return null;
        const writes = writesOf(now.plan, placing, now.neighbours);
        if (writes) await writePlan(tx, { teamId, isTest, listeners }, now.plan, placing.naming, writes);
        return { plan: now.plan, isWritten: writes !== null };
      });
      if (placed) return placed;
    }
    return null;
  }

  /** Looks for statements about the same orders that were committed since the first look, and places them. */
  async function lookAgain(
    teamId: Uuid,
    isTest: boolean,
    { objects, orders }: Plan,
  ): Promise<Plan | undefined> {
    const names = objects.flatMap(({ stated }) => stated.names);
    const orderIds = orders.map(({ id }) => id);
    const known = { orderIds, objects: objects.map(({ stated }) => stated.object), newObjects: [] };
    if (!(await reachesMore(sql, teamId, isTest, names, known))) return undefined;
    const placing: Placing = { stated: [], orderIds };
    const again = await plan(sql, teamId, isTest, placing, { ...wantedOf(placing), names });
    if (!writesOf(again.plan, placing, again.neighbours)) return undefined;
    return (await place(teamId, isTest, placing)).plan;
  }
}

const hasSecondNumber = ({ fields, group }: PlannedOrder) =>
  group.objects
    .flatMap(({ names }) => names)
    .some(({ kind, value }) => (kind === 'number' || kind === 'shopOrder') && value !== fields.orderId);

const lockedIdentifiers = ({ stated, orderIds = [] }: Placing): string[] => [
  ...stated.flatMap(({ object, names }) => [object, ...names.map(({ value }) => value)]),
  ...orderIds,
];

async function plan(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
  placing: Placing,
  wanted = wantedOf(placing),
): Promise<{ plan: Plan } & Loaded> {
  const loaded = await loadAll(sql, teamId, isTest, wanted);
  const planned = planOrders(loaded.neighbours, placing, idsFrom(placing.newId));
  placing.check?.(planned, loaded.neighbours);
  return { plan: planned, ...loaded };
}

const wantedOf = ({ stated, orderIds = [] }: Placing): Wanted => ({
  names: stated.flatMap((each) => each.names),
  objects: stated.flatMap(({ object, of }) => (of === null ? [object] : [object, of])),
  orderIds,
});

function idsFrom(newId: Placing['newId']): NewId {
  let first = newId;
  return () => {
    const ids = first ?? { id: newUuid(), orderNumber: newOrderNumber() };
    first = undefined;
    return ids;
  };
}
