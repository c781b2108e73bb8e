import { isDeepStrictEqual } from 'node:util';
import type { Uuid } from '../../../values/ids.js';
import { isOwnerChanged, withChanges } from './changesOfOrder.js';
import { compareTexts } from './clusters.js';
import { eraseBuyer, withoutPerson } from './eraseBuyer.js';
import { giveIds, type Known, type KnownObject, type NewId, shareNumbers } from './giveIds.js';
import { groupStatements } from './groupStatements.js';
import { isErasedByShop, joinVersions } from './joinVersions.js';
import { objectsOfOrder } from './objectsOfOrder.js';
import type { Plan } from './plan.js';
import type { KeptIdentifier, LoadedOrder, Neighbours } from './sql/loadNeighbours.js';
import type { Group, Identifier, StatedObject } from './statement.js';

/** Input of `planOrders`. */
export interface Change {
  /** Statements to add. */
  stated: readonly StatedObject[];
  /** Decides if a stored object is removed. `ofOrder` lists all objects of its order. */
  isTakenBack?:
    | ((object: StatedObject, orderId: Uuid | null, ofOrder: readonly StatedObject[]) => boolean)
    | undefined;
  /** The order for which a refund is accepted. */
  refundOf?: Uuid | undefined;
}

/**
 * Plans the changes that follow from added or removed statements. A pure function. Each stored order keeps its `ord_…` id with the
 * statement that arrived first. An order whose statements have all moved is merged into the order that has them.
 */
export function planOrders(
  { orders, statements, names }: Neighbours,
  { stated, isTakenBack, refundOf }: Change,
  newId: NewId,
): Plan {
  const known = new Map<string, KnownObject>();
  for (const each of statements) known.set(each.stated.object, { ...each, isRow: false });
  const inTable = new Set(statements.map(({ orderId }) => orderId));
  // A report becomes a new order if no order shows its number now, though its object may be known in an order that had the number.
  const repeated: { orderId: Uuid; stated: StatedObject }[] = [];
  for (const order of orders)
    if (!inTable.has(order.id))
      for (const object of objectsOfOrder(order))
        if (known.has(object.object)) repeated.push({ orderId: order.id, stated: object });
        else known.set(object.object, { stated: object, orderId: order.id, isRow: true });
  const now = new Map(
    [...known].map(([object, each]) => [object, withIdempotencyKeys(each.stated, each.orderId, names)]),
  );
  for (const { stated: again } of repeated)
    now.set(again.object, joinVersions(now.get(again.object)!, again));
  const head = refundOf === undefined ? undefined : headOf(refundOf, known);
  for (const sent of stated) {
    const each = head ? withOrder(sent, head) : sent;
    const before = now.get(each.object);
    now.set(each.object, before ? joinVersions(before, each) : each);
  }
  const ofOrder = (id: Uuid | null) =>
    [...known.values()].filter(({ orderId }) => orderId === id).map((each) => each.stated);
  const removed = isTakenBack
    ? [...known.values()].filter((each) => isTakenBack(each.stated, each.orderId, ofOrder(each.orderId)))
    : [];
  const removedNames = removed.map(({ stated: { object } }) => object);
  for (const object of removedNames) now.delete(object);
  const { groups: all, setAside } = groupStatements([...now.values()]);
  const groups = all.map(withoutErased);
  for (const { objects } of groups) for (const each of objects) now.set(each.object, each);
  const again = repeated.flatMap(({ orderId, stated: { object } }) => {
    const joined = now.get(object);
    return joined ? [[orderId, joined] as const] : [];
  });
  const planned = giveIds(groups, known, new Map(again), orders, newId, new Set(removedNames));
  shareNumbers(planned.orders);
  const orderOf = new Map<string, Uuid>();
  // A refund of a shared payment belongs to several groups. It is stored with the first one.
  for (const { id, group } of planned.orders)
    for (const { object } of group.objects) if (!orderOf.has(object)) orderOf.set(object, id);
  const changedRows = new Set(
    planned.orders
      .filter(
        (order) =>
          isOtherThanRow(order.before, order.group, known, now) ||
          order.duplicates.length > 0 ||
          isOwnerChanged(order),
      )
      .map(({ id }) => id),
  );
  const aside = new Set(setAside.map(({ object }) => object));
  return {
    orders: planned.orders.map((order) => withChanges(order, changedRows.has(order.id))),
    objects: [...now.values()].map((each) => {
      const before = known.get(each.object);
      const orderId = orderOf.get(each.object) ?? null;
      const isPlainRow = before?.isRow === true && orderId === before.orderId && !changedRows.has(orderId!);
      return {
        stated: withoutIdempotencyKeys(each),
        orderId,
        before: before?.orderId ?? null,
        stored:
          before && (isPlainRow || !before.isRow)
            ? { stated: withoutIdempotencyKeys(before.stated), orderId: before.orderId }
            : null,
        isSetAside: aside.has(each.object),
      };
    }),
    removed,
    gone: planned.gone,
    asked: refundOf,
  };
}

/**
 * Adds an order's `Idempotency-Key`s to a backend's statement. They are stored in `order_key` instead of the statement: otherwise a
 * job that reports all orders each night with new keys would rewrite every statement.
 */
function withIdempotencyKeys(
  stated: StatedObject,
  orderId: Uuid | null,
  names: readonly KeptIdentifier[],
): StatedObject {
  if (stated.speaker !== 'backend' || orderId === null) return stated;
  const own = withoutIdempotencyKeys(stated);
  const keys = names.filter((name) => name.kind === 'idempotency' && name.orderId === orderId);
  return {
    ...own,
    names: [...own.names, ...keys.map(({ value }): Identifier => ({ kind: 'idempotency', value }))],
  };
}

const withoutIdempotencyKeys = (stated: StatedObject): StatedObject =>
  stated.names.some(({ kind }) => kind === 'idempotency')
    ? { ...stated, names: stated.names.filter(({ kind }) => kind !== 'idempotency') }
    : stated;

/** Removes erased data from an order's statements, so that it is not stored. */
function withoutErased(group: Group): Group {
  const { objects } = group;
  // A refund of an erased order has a mark, too. It marks no other order that it may belong to later.
  if (objects.some(({ isMarked, kind }) => isMarked && kind !== 'refund'))
    return { ...group, objects: objects.map(eraseBuyer) };
  if (!objects.some(isErasedByShop)) return group;
  return { ...group, objects: objects.map(withoutPerson) };
}

/** Finds the statement of an order that arrived first. */
function headOf(id: Uuid, known: Known): StatedObject | undefined {
  const ofOrder = [...known.values()].filter(
    ({ orderId, stated }) => orderId === id && stated.kind !== 'refund',
  );
  return ofOrder.map(({ stated }) => stated).sort((a, b) => compareTexts(a.arrived, b.arrived))[0];
}

/** Links a refund to the order for which it was accepted: by the order's first statement, and by its number. */
const withOrder = (refund: StatedObject, head: StatedObject): StatedObject => {
  const numbers = head.names.filter(({ kind }) => kind === 'number');
  return { ...refund, of: head.object, names: [...refund.names, ...numbers] };
};

/** @returns true if the order's row alone no longer holds all of its statements */
function isOtherThanRow(
  before: LoadedOrder | null,
  { objects }: Group,
  known: Known,
  now: ReadonlyMap<string, StatedObject>,
): boolean {
  return objects.some(({ object }) => {
    const one = known.get(object);
    if (!one?.isRow || one.orderId !== before?.id) return true;
    return !isDeepStrictEqual(withoutIdempotencyKeys(one.stated), withoutIdempotencyKeys(now.get(object)!));
  });
}
