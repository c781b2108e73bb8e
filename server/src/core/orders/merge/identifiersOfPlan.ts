import type { Uuid } from '../../../values/ids.js';
import { isOfRow } from './orderRow.js';
import type { Placing } from './placing.js';
import type { PlacedObject, Plan } from './plan.js';
import type { KeptIdentifier, Neighbours } from './sql/loadNeighbours.js';
import { isPlacedRefund } from './sql/writeStatements.js';
import { isLegacy, type StatedObject } from './statement.js';
import { backendObject } from './statementsOfReport.js';

/**
 * Most `Idempotency-Key`s stored for an order. Otherwise a job that reports all orders each night with new keys would add rows
 * forever.
 */
export const idempotencyKeysAtMost = 100;

/** A unique text for a stored identifier. An order stores an identifier once; waiting statements store it once per object. */
const idOf = ({ kind, value, orderId, object }: KeptIdentifier) => `${kind} ${value} ${orderId ?? object}`;

/** The identifiers that a plan adds, and those of an order's row that it removes. */
export interface ChangedIdentifiers {
  added: KeptIdentifier[];
  removed: KeptIdentifier[];
}

/**
 * Lists the identifiers that a plan adds or removes. An order's own number and `reportId` are not among them, because they are in the
 * order's row.
 */
export function changedIdentifiers(
  plan: Plan,
  { stated, idempotencyKey }: Placing,
  neighbours: Neighbours,
): ChangedIdentifiers {
  const { orders, objects } = plan;
  const into = new Map(
    orders.flatMap(({ id, duplicates }) => duplicates.map((other) => [other.id, id] as const)),
  );
  const left = leftIdentifiers(plan, neighbours, into);
  const removed = left.map(({ name }) => name);
  const ids = new Set(neighbours.names.map(idOf));
  const names = neighbours.names.filter((name) => !removed.includes(name));
  const kept = new Set(stayingIdentifiers(plan, names, into).map(idOf));
  const isAnyMoved = [...ids].some((id) => !kept.has(id));
  const added: KeptIdentifier[] = [];
  const add = (name: KeptIdentifier) => {
    const id = idOf(name);
    if (kept.has(id)) return;
    kept.add(id);
    added.push(name);
  };
  for (const { name, holder } of left)
    if (name.kind === 'idempotency' && holder)
      add({ ...name, object: holder.stated.object, orderId: holder.orderId });
  const none = { amount: null, currency: null, number: null, personId: null };
  const placed = new Map(orders.map((order) => [order.id, order]));
  for (const { stated: object, orderId, stored } of objects) {
    const order = orderId === null ? undefined : placed.get(orderId);
    // Nothing has changed for this object: its identifiers are stored already.
    if (
      order &&
      !isAnyMoved &&
      !order.isChanged &&
      stored?.orderId === orderId &&
      !stated.some((each) => each.object === object.object)
    )
      continue;
    if (order && object.kind === 'refund') continue;
    for (const { kind, value } of object.names) {
      if (kind === 'idempotency' && value === idempotencyKey?.value) continue;
      const isInRow =
        order && (value === order.fields.orderId ? kind !== 'provider' : value === order.folded.reportId);
      if (!isInRow) add({ kind, value, object: object.object, orderId, ...none });
    }
  }
  const own = stated[0] && objects.find(({ stated: { object } }) => object === stated[0]!.object);
  if (idempotencyKey && own?.orderId) {
    const keys = neighbours.names.filter(
      ({ kind, orderId }) => kind === 'idempotency' && orderId === own.orderId,
    );
    if (keys.length < idempotencyKeysAtMost)
      add({ ...idempotencyKey, kind: 'idempotency', orderId: own.orderId });
  }
  return { added, removed };
}

/** The orders that a plan merges into another one, each with that order. */
type MergedInto = ReadonlyMap<Uuid, Uuid>;

/**
 * Lists the identifiers of an order's row whose statement leaves the order or is removed. They are stored without their object,
 * because the row was the only statement. So they would stay with an order that does not have them.
 * @returns each with the object that it leaves with; undefined if that is removed
 */
function leftIdentifiers(
  { objects, removed }: Plan,
  { names }: Neighbours,
  into: MergedInto,
): { name: KeptIdentifier; holder: PlacedObject | undefined }[] {
  return names.flatMap((name) => {
    if (!isOfRow(name)) return [];
    const holders = objects.filter(
      ({ before, stated }) => before === name.orderId && stated.kind !== 'refund' && isOfObject(name, stated),
    );
    const staysIn = into.get(name.orderId!) ?? name.orderId;
    const [holder] = holders;
    const isLeft = holder
      ? holders.every(({ orderId }) => orderId !== staysIn)
      : removed.some(({ orderId, stated }) => orderId === name.orderId && isOfObject(name, stated));
    return isLeft ? [{ name, holder }] : [];
  });
}

/** @returns true if an object has an identifier. With a key, servers before 0.5.0 stored neither the number nor the buyer. */
const isOfObject = (name: KeptIdentifier, stated: StatedObject): boolean => {
  const { kind, value, number, personId } = name;
  if (kind !== 'idempotency') return stated.names.some((own) => own.kind === kind && own.value === value);
  const isOld = number === null && personId === null && isLegacy(stated);
  return isOld || stated.object === backendObject(number, value);
};

/**
 * Lists the stored identifiers as they will be after the plan. Each moves with its object, which may have been the only one of its
 * order that stored it.
 */
function stayingIdentifiers(
  { objects, removed }: Plan,
  names: readonly KeptIdentifier[],
  into: MergedInto,
): KeptIdentifier[] {
  const gone = new Set(removed.map(({ stated: { object } }) => object));
  const stored = new Map(
    objects.flatMap((each) => (each.stored ? [[each.stated.object, each] as const] : [])),
  );
  return names.flatMap((name) => {
    const object = stored.get(name.object);
    if (gone.has(name.object) || (object && isPlacedRefund(object))) return [];
    return { ...name, orderId: object ? object.orderId : (into.get(name.orderId ?? '') ?? name.orderId) };
  });
}
