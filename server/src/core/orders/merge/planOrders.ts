import { isDeepStrictEqual } from 'node:util';
import type { Uuid } from '../../../values/ids.js';
import { defaults, statedBySeveral } from '../defaults.js';
import { fieldNames, type OrderFields } from '../fields.js';
import { ownerOf } from './candidates.js';
import { compareTexts } from './clusters.js';
import { eraseBuyer, withoutPerson } from './eraseBuyer.js';
import { type FoldedOrder, foldStatements } from './foldStatements.js';
import { groupStatements } from './groupStatements.js';
import { isErasedByShop, joinVersions } from './joinVersions.js';
import { objectsOfOrder } from './objectsOfOrder.js';
import type { KeptIdentifier, LoadedOrder, Neighbours } from './sql/loadNeighbours.js';
import type { Group, Identifier, StatedObject } from './statement.js';

/** An object, with the order that it belongs to. */
export interface PlacedObject {
  stated: StatedObject;
  /** The order that the object belongs to now; null if its statement waits. */
  orderId: Uuid | null;
  /** The order that the object belonged to before; null if the object is new, or waited. */
  before: Uuid | null;
  /** The stored statement; null if it is not stored in `statement`. */
  stored: { stated: StatedObject; orderId: Uuid | null } | null;
  isSetAside: boolean;
}

/** An order as it will be stored. */
export interface PlannedOrder {
  id: Uuid;
  orderNumber: string;
  /** The stored order; null if the order is new. */
  before: LoadedOrder | null;
  /** Other stored orders that are merged into this one. */
  duplicates: LoadedOrder[];
  group: Group;
  folded: FoldedOrder;
  fields: OrderFields;
  buyer: { personId: Uuid; email: string | null };
  sharesIdWith: Uuid | null;
  host: string | null;
  /** Set if any column of the order's row changes. */
  isChanged: boolean;
  areRefundsChanged: boolean;
}

/** The changes that placing makes. */
export interface Plan {
  orders: PlannedOrder[];
  objects: PlacedObject[];
  /** Stored objects that no speaker states any more. */
  removed: string[];
  /** Orders that have no statement left. */
  gone: LoadedOrder[];
  /** The order that `refundOf` names: a refund for it was requested. */
  asked: Uuid | undefined;
}

/** Creates the ids of a new order or person. */
export type NewId = () => { id: Uuid; orderNumber: string };

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
    removed: removed.filter(({ isRow }) => !isRow).map(({ stated: { object } }) => object),
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

interface KnownObject {
  stated: StatedObject;
  orderId: Uuid | null;
  /** Set if the order's row holds the statement, not a row of `statement`. */
  isRow: boolean;
}

type Known = ReadonlyMap<string, KnownObject>;

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

/** @returns true for a stored order that gained or lost the ownership of its number. Its row is written, so it holds no statement. */
export const isOwnerChanged = ({ before, sharesIdWith }: Unfinished): boolean =>
  before !== null && before.sharesIdWith !== sharesIdWith;

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

type Unfinished = Omit<PlannedOrder, 'isChanged' | 'areRefundsChanged'>;

/** @param repeated for each order whose row repeats an object of another order: that object */
function giveIds(
  groups: readonly Group[],
  known: Known,
  repeated: ReadonlyMap<Uuid, StatedObject>,
  orders: readonly LoadedOrder[],
  newId: NewId,
  removed: ReadonlySet<string>,
): { orders: Unfinished[]; gone: LoadedOrder[] } {
  const anchorOf = new Map(repeated);
  for (const { stated, orderId } of known.values()) {
    if (orderId === null || stated.kind === 'refund' || removed.has(stated.object)) continue;
    const anchor = anchorOf.get(orderId);
    if (
      !anchor ||
      stated.arrived < anchor.arrived ||
      (stated.arrived === anchor.arrived && stated.object < anchor.object)
    )
      anchorOf.set(orderId, stated);
  }
  const left = new Set([...orders].sort((a, b) => compareTexts(a.id, b.id)));
  const planned = groups.map((group): Unfinished => {
    const objects = new Set(group.objects.map(({ object }) => object));
    const mine = [...left].filter(({ id }) => objects.has(anchorOf.get(id)?.object ?? ''));
    for (const order of mine) left.delete(order);
    const [before = null, ...duplicates] = mine;
    const folded = foldStatements(group);
    const { id, orderNumber } = before ?? newId();
    return {
      id,
      orderNumber,
      before,
      duplicates,
      group,
      folded,
      fields: withDefaults(folded),
      buyer: buyerOf(folded, mine, newId),
      sharesIdWith: null,
      host: group.objects.find(({ host, speaker }) => host !== null && speaker === 'page')?.host ?? null,
    };
  });
  const gone: LoadedOrder[] = [];
  for (const order of [...left]) {
    const isRemoved = !anchorOf.has(order.id);
    const into = isRemoved
      ? undefined
      : planned.find(({ group }) => haveCommonIdentifier(group, known, order));
    if (!into) gone.push(order);
    else if (into.before) into.duplicates.push(order);
    // No other statement of the order is left: the order that has its number continues under its id.
    else Object.assign(into, { before: order, id: order.id, orderNumber: order.orderNumber });
  }
  return { orders: planned, gone };
}

/** @returns true if a group has an identifier of a stored order */
function haveCommonIdentifier({ objects }: Group, known: Known, order: LoadedOrder): boolean {
  const names = new Set(
    [...known.values()]
      .filter(({ orderId }) => orderId === order.id)
      .flatMap(({ stated }) => stated.names.map(({ value }) => value)),
  );
  return objects.some((object) => object.names.some(({ value }) => names.has(value)));
}

function withDefaults({ fields, reportedBy }: FoldedOrder): OrderFields {
  return {
    ...fields,
    currency: fields.currency ?? defaults.currency,
    source: fields.source ?? defaults.source[reportedBy === 'browser' ? 'withoutKey' : 'withKey'],
  } as OrderFields;
}

/** Picks the buyer, or the person who stands for one. An erased order keeps its erased buyer, or gets a new one. */
function buyerOf(
  { buyer, unnamed, erasedBy }: FoldedOrder,
  orders: readonly LoadedOrder[],
  newId: NewId,
): PlannedOrder['buyer'] {
  if (buyer) return buyer;
  const erased = orders.find(({ isErased }) => isErased);
  if (erasedBy === 'operator' && erased) return { personId: erased.personId, email: null };
  if (unnamed && erasedBy !== 'operator') return unnamed;
  return { personId: newId().id, email: null };
}

/** Sets `sharesIdWith` of each order whose number another order owns. */
function shareNumbers(orders: Unfinished[]): void {
  for (const order of orders) {
    const number = order.folded.fields.orderId;
    if (number === null) continue;
    const owner = ownerOf(number, orders);
    order.sharesIdWith = owner === undefined || owner === order ? null : owner.id;
  }
}

function withChanges(order: Unfinished, isOtherRow: boolean): PlannedOrder {
  const { before, folded, sharesIdWith, host } = order;
  const isSame =
    before !== null &&
    before.sharesIdWith === sharesIdWith &&
    before.host === host &&
    !isOtherInPublic(before, order);
  // The row of an order with several statements does not hold one itself.
  const isPlain = before !== null && (!isOtherRow || isSameJson(before.said, statedBySeveral(folded.fields)));
  // A row of `refund` has the currency of its order, by which refunds are added up.
  const isOtherCurrency = folded.refunds.length > 0 && before?.currency !== order.fields.currency;
  const areRefundsChanged =
    isOtherRow &&
    (isOtherCurrency || !isDeepStrictEqual(comparable(before?.refunds ?? []), comparable(folded.refunds)));
  return { ...order, isChanged: isOtherRow && !(isSame && isPlain), areRefundsChanged };
}

/** @returns true if a field that lists and webhooks show has changed */
export function isOtherInPublic(
  before: LoadedOrder,
  { buyer, fields, folded }: Pick<PlannedOrder, 'buyer' | 'fields' | 'folded'>,
): boolean {
  return (
    before.personId !== buyer.personId ||
    before.reportId !== folded.reportId ||
    before.reportedBy !== folded.reportedBy ||
    before.createdAt !== folded.createdAt ||
    fieldNames.some((name) => !isSameJson(before[name], fields[name]))
  );
}

/** @returns true if JSON writes both values alike; undefined counts as null */
export const isSameJson = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown) => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

const comparable = (refunds: readonly { object: string; refundId: string }[]) =>
  refunds
    .map(({ ...refund }) => {
      const { object, refundId, amount, counts, currency, reason, createdAt } =
        refund as FoldedOrder['refunds'][number];
      return {
        object,
        refundId,
        amount: amount && Number(amount),
        counts: Number(counts),
        currency,
        reason,
        createdAt,
      };
    })
    .sort((a, b) => compareTexts(`${a.object} ${a.refundId}`, `${b.object} ${b.refundId}`));
