import type { Uuid } from '../../../values/ids.js';
import type { Plan } from './plan.js';
import type { Change } from './planOrders.js';
import type { KeptIdentifier, Neighbours } from './sql/loadNeighbours.js';
import type { StatedObject } from './statement.js';

/** Statements to place among the orders of one mode, and options for that. */
export interface Placing {
  /** Statements to add; empty to only compare the stored ones again. */
  stated: readonly StatedObject[];
  /** Decides which stored objects are removed. */
  isTakenBack?: Change['isTakenBack'];
  /** Orders to load in addition to those that the identifiers reach. */
  orderIds?: readonly Uuid[];
  /** The order for which a refund is accepted. */
  refundOf?: Uuid | undefined;
  /** Ids that the order gets if it is new. */
  newId?: { id: Uuid; orderNumber: string };
  /** Throws if the statements are refused. Called before anything is written. */
  check?: (plan: Plan, neighbours: Neighbours) => void;
  /** An `Idempotency-Key`, with the values that its report stated. */
  idempotencyKey?: Omit<KeptIdentifier, 'kind' | 'orderId'>;
  /** The name that the report gives to its buyer. */
  naming?: { personId: Uuid; name: string; isByKey: boolean };
}

/** The outcome of placing, after the commit. */
export interface Placed {
  plan: Plan;
  isWritten: boolean;
  /** Orders that were merged into another one, also by the second look after the commit. */
  mergedIds: Uuid[];
}

/** Places statements among the orders of a team, and resolves after the commit. */
export type PlaceStatements = (teamId: Uuid, isTest: boolean, placing: Placing) => Promise<Placed>;
