import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { type AffectedOrder, type Listeners, notifyListeners, type OrderChange } from '../../listener.js';
import { addBuyers, editPerson, removeEmptyPeople } from '../../people/sql/person.js';
import { removeOrderKeys } from '../orderKeys.js';
import { isOtherInPublic, isOwnerChanged, isSameJson } from './changesOfOrder.js';
import { type ChangedIdentifiers, changedIdentifiers } from './identifiersOfPlan.js';
import { statedFields } from './joinVersions.js';
import type { Placing } from './placing.js';
import type { PlacedObject, Plan, PlannedOrder } from './plan.js';
import type { LoadedOrder, Neighbours } from './sql/loadNeighbours.js';
import {
  insertOrder,
  mergeDuplicate,
  releaseIds,
  removeOrders,
  updateOrder,
  writeRefunds,
} from './sql/writeOrders.js';
import {
  addIdentifiers,
  moveIdentifiers,
  removeRowIdentifiers,
  removeStatements,
  writeStatements,
} from './sql/writeStatements.js';
import { requireRoom } from './waiting.js';

/** The team and mode of a plan, and the listeners to notify. */
interface Writing {
  teamId: Uuid;
  isTest: boolean;
  listeners: Listeners;
}

/** The rows that a plan adds or changes, except refunds. */
export interface Writes {
  /** Objects whose statement is new or differs from the stored one. */
  objects: readonly PlacedObject[];
  /** Orders whose row is new or changes. */
  orders: readonly PlannedOrder[];
  identifiers: ChangedIdentifiers;
  /** Set if the report gives a name to a buyer who has none. Also set if a key gives it and only a page has named the buyer. */
  isNaming: boolean;
}

/**
 * Lists the rows that a plan adds or changes.
 * @returns null if the plan changes nothing
 */
export function writesOf(plan: Plan, placing: Placing, neighbours: Neighbours): Writes | null {
  const objects = plan.objects.filter(isOtherStatement);
  const orders = plan.orders.filter((order) => order.isChanged || isOwnerChanged(order));
  const identifiers = changedIdentifiers(plan, placing, neighbours);
  const isNaming = namesBuyer(plan, placing.naming);
  const isAny =
    [objects, orders, identifiers.added, identifiers.removed, plan.removed, plan.gone].some(
      ({ length }) => length > 0,
    ) ||
    plan.orders.some(({ areRefundsChanged, duplicates }) => areRefundsChanged || duplicates.length > 0) ||
    isNaming;
  return isAny ? { objects, orders, identifiers, isNaming } : null;
}

/** Writes a plan, inside a transaction that has locked its orders. */
export async function writePlan(
  tx: Sql,
  { teamId, isTest, listeners }: Writing,
  plan: Plan,
  naming: Placing['naming'],
  writes: Writes,
): Promise<void> {
  const { orders: changed, objects, identifiers, isNaming } = writes;
  const added = changed.filter(({ before }) => before === null);
  // Not awaited, which saves a round trip: the connection runs statements in turn. `written` reports a fault.
  const buyers = addBuyersOf(tx, teamId, isTest, isNaming ? plan.orders : changed, naming);
  buyers.catch(() => {});
  for (const { id, duplicates, before } of plan.orders)
    for (const other of duplicates) {
      const merged = { id, isTest, createdAt: new Date(before?.createdAt ?? other.createdAt) };
      await notifyListeners(listeners, 'onOrderMerged', tx, teamId, forListeners(other), merged);
      await mergeDuplicate(tx, teamId, other, id);
    }
  const gone = plan.gone.map(({ id }) => id);
  if (gone.length > 0) {
    await removeOrders(tx, teamId, gone);
    await notifyListeners(listeners, 'onOrdersGone', tx, teamId, plan.gone.map(forListeners), 'removed');
  }
  const removed = plan.removed.map(({ stated: { object } }) => object);
  await removeStatements(tx, teamId, isTest, removed);
  const others = await requireRoom(tx, teamId, isTest, objects);
  const moved = others.filter(({ stored, orderId }) => stored && stored.orderId !== orderId);
  const updated = changed.filter(({ before }) => before !== null);
  const passing = passingOn(changed);
  const refunded = plan.orders.filter(({ areRefundsChanged }) => areRefundsChanged);
  // Sent together, they cost one round trip.
  const written = Promise.all([
    buyers,
    passing.length > 0 && releaseIds(tx, teamId, passing),
    ...updated.map((order) => updateOrder(tx, teamId, order)),
    ...added.map((order) => insertOrder(tx, teamId, isTest, order)),
    writeStatements(tx, teamId, isTest, others),
    moveIdentifiers(tx, teamId, isTest, moved),
    gone.length > 0 && removeOrderKeys(tx, teamId, gone),
    removeRowIdentifiers(tx, teamId, isTest, identifiers.removed),
    addIdentifiers(tx, teamId, isTest, identifiers.added),
    ...refunded.map((order) => writeRefunds(tx, teamId, isTest, order)),
  ]);
  // Listeners read the refunds.
  if (refunded.length > 0) await written;
  await Promise.all([written, notifyOfPlan(tx, { teamId, isTest, listeners }, plan)]);
  const former = formerBuyers(plan);
  if (former.length > 0) await removeEmptyPeople(tx, teamId, former);
}

/**
 * Lists the stored orders whose number or `reportId` another order gets. They release it before any row is updated, because it has
 * one owner at a time, and two orders may even exchange theirs.
 */
function passingOn(changed: readonly PlannedOrder[]): Uuid[] {
  return changed.flatMap(({ id, before }) => {
    const isTaken = (name: 'orderId' | 'reportId') =>
      before?.[name] != null &&
      changed.some((other) => other.id !== id && shownBy(other)[name] === before[name]);
    return isTaken('orderId') || isTaken('reportId') ? [id] : [];
  });
}

const shownBy = ({ fields, sharesIdWith, folded }: PlannedOrder) => ({
  orderId: sharesIdWith === null ? fields.orderId : null,
  reportId: folded.reportId,
});

/** @returns true if the object's statement is not stored yet, or differs from the stored one */
function isOtherStatement({ stated, orderId, stored }: PlacedObject): boolean {
  if (!stored) return true;
  return stored.orderId !== orderId || !isSameJson(stored.stated, stated);
}

/** @returns true if the report names a buyer who has no name, or if a key names one whom only a page has named */
function namesBuyer({ orders }: Plan, naming: Placing['naming']): boolean {
  return orders.some(
    ({ before, buyer, folded }) =>
      naming !== undefined &&
      before !== null &&
      folded.erasedBy === null &&
      before.personId === naming.personId &&
      buyer.personId === naming.personId &&
      (before.buyerNamedBy === null || (before.buyerNamedBy === 'page' && naming.isByKey)),
  );
}

async function addBuyersOf(
  tx: Sql,
  teamId: Uuid,
  isTest: boolean,
  orders: readonly PlannedOrder[],
  naming: Placing['naming'],
): Promise<void> {
  const buyers = new Map<Uuid, Parameters<typeof addBuyers>[2][number]>();
  for (const { buyer, fields, folded, group } of orders) {
    const speaker = group.objects.find((object) => statedFields(object).name === fields.name)?.speaker;
    const isByKey = !isTest && (speaker === 'shop' || speaker === 'backend' || speaker === 'file');
    const isNamed = naming?.personId === buyer.personId && folded.erasedBy === null;
    buyers.set(buyer.personId, {
      id: buyer.personId,
      email: buyer.email as string,
      name: isNamed ? naming!.name : buyer.email === null ? null : (fields.name as string | null),
      isNameByKey: isNamed ? naming!.isByKey : isByKey && fields.name !== null,
    });
  }
  const rows = [...buyers.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (rows.length > 0) await addBuyers(tx, teamId, rows);
  // The shop has erased the buyer, but the person who stands for the buyer has a name. It is removed.
  for (const { before, buyer, folded } of orders)
    if (folded.erasedBy !== null && before?.personId === buyer.personId && before.buyerNamedBy !== null)
      await editPerson(tx, teamId, buyer.personId, null);
}

async function notifyOfPlan(
  tx: Sql,
  { teamId, isTest, listeners }: Writing,
  { orders }: Plan,
): Promise<void> {
  const changes: OrderChange[] = [];
  for (const { id, before, folded, duplicates, isChanged, areRefundsChanged, ...order } of orders) {
    const after: AffectedOrder = { id, isTest, createdAt: new Date(folded.createdAt) };
    const isErased = before !== null && !before.hasNoEmail && !before.isErased && folded.erasedBy !== null;
    if (isErased)
      await notifyListeners(listeners, 'onOrdersGone', tx, teamId, [forListeners(before)], 'erased');
    const isOther =
      before !== null &&
      (duplicates.length > 0 || (isChanged && isOtherInPublic(before, { ...order, folded })));
    const areRefundsOther = areRefundsChanged && isRefundNews([before, ...duplicates], folded.refunds);
    if (isOther || areRefundsOther || before === null)
      changes.push({
        before: before && forListeners(before),
        after,
        duplicates: duplicates.map(forListeners),
        isShownChanged: isOther,
        areRefundsChanged: areRefundsOther,
      });
  }
  if (changes.length > 0) await notifyListeners(listeners, 'onOrdersChanged', tx, teamId, changes);
}

/** @returns true if the refunds, or the amounts that count, differ from those of the stored order and its duplicates */
const isRefundNews = (
  before: readonly (LoadedOrder | null)[],
  refunds: readonly { refundId: string; counts: string }[],
) => !isDeepStrictEqual(shown(before.flatMap((order) => order?.refunds ?? [])), shown(refunds));

const shown = (refunds: readonly { refundId: string; counts: string }[]) =>
  refunds.map(({ refundId, counts }) => `${refundId} ${Number(counts)}`).sort();

function formerBuyers({ orders, gone }: Plan): Uuid[] {
  const now = new Set(orders.map(({ buyer }) => buyer.personId));
  const before = [...orders.flatMap((order) => [order.before, ...order.duplicates]), ...gone];
  return [...new Set(before.flatMap((order) => order?.personId ?? []))].filter((id) => !now.has(id));
}

const forListeners = ({ id, isTest, createdAt }: LoadedOrder): AffectedOrder => ({
  id,
  isTest,
  createdAt: new Date(createdAt),
});
