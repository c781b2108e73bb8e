import type { Uuid } from '../../../values/ids.js';
import type { Change, Plan } from './planOrders.js';
import type { KeptIdentifier, Neighbours } from './sql/loadNeighbours.js';
import type { StatedObject } from './statement.js';

/** What is placed among the orders of a mode. */
export interface Placing {
  /** What is said; empty to look once more at what is stored. */
  stated: readonly StatedObject[];
  /** True for an object that is taken back. */
  isTakenBack?: Change['isTakenBack'];
  /** Orders that are looked at, too. */
  orderIds?: readonly Uuid[];
  /** The order for which a refund is accepted. */
  refundOf?: Uuid | undefined;
  /** Ids of the order that may be new. */
  newId?: { id: Uuid; orderNumber: string };
  /** Throws the refusal of what is said, before anything is written. */
  check?: (plan: Plan, neighbours: Neighbours) => void;
  /** An `Idempotency-Key` with what its report said. */
  idempotencyKey?: Omit<KeptIdentifier, 'kind' | 'orderId'>;
  /** A name that the report gives its buyer. */
  naming?: { personId: Uuid; name: string; isByKey: boolean };
}

/** What is stored after the commit. */
export interface Placed {
  plan: Plan;
  isWritten: boolean;
  /** Orders that have become a part of another one, also by the look after the commit. */
  mergedIds: Uuid[];
}

/** Places statements among the orders of a team, and resolves after the commit. */
export type PlaceStatements = (teamId: Uuid, isTest: boolean, placing: Placing) => Promise<Placed>;
