import type { Uuid } from '../../../values/ids.js';
import type { OrderFields } from '../fields.js';
import type { FoldedOrder } from './foldStatements.js';
import type { LoadedOrder } from './sql/loadNeighbours.js';
import type { Group, StatedObject } from './statement.js';

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
  /** Stored objects that no speaker states any more, each with its order; null if it waited. */
  removed: { stated: StatedObject; orderId: Uuid | null }[];
  /** Orders that have no statement left. */
  gone: LoadedOrder[];
  /** The order that `refundOf` names: a refund for it was requested. */
  asked: Uuid | undefined;
}
