import type { Uuid } from '../../../values/ids.js';
import { defaults } from '../defaults.js';
import type { OrderFields } from '../fields.js';
import { ownerOf } from './candidates.js';
import { compareTexts } from './clusters.js';
import { type FoldedOrder, foldStatements } from './foldStatements.js';
import type { PlannedOrder } from './plan.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';
import type { Group, StatedObject } from './statement.js';

/** Creates the ids of a new order or person. */
export type NewId = () => { id: Uuid; orderNumber: string };

/** A stored statement. */
export interface KnownObject {
  stated: StatedObject;
  orderId: Uuid | null;
  /** Set if the order's row holds the statement, not a row of `statement`. */
  isRow: boolean;
}

/** The stored statements, by object. */
export type Known = ReadonlyMap<string, KnownObject>;

/** A planned order that was not compared with the stored one. */
export type Unfinished = Omit<PlannedOrder, 'isChanged' | 'areRefundsChanged'>;

/**
 * Gives each group the id of the stored order whose first statement it has, or a new one. A stored order whose statements have all
 * moved is merged into the order that has them.
 * @param repeated for each order whose row repeats an object of another order: that object
 * @param removed objects that are removed
 * @returns the orders, and the stored orders that have no statement left
 */
export function giveIds(
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
export function shareNumbers(orders: Unfinished[]): void {
  const owners = new Map<string, Unfinished | undefined>();
  for (const order of orders) {
    const number = order.folded.fields.orderId;
    if (number === null) continue;
    if (!owners.has(number)) owners.set(number, ownerOf(number, orders));
    const owner = owners.get(number);
    order.sharesIdWith = owner === undefined || owner === order ? null : owner.id;
  }
}
