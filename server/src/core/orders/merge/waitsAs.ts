import type { PlacedObject } from './planOrders.js';

/** Why a statement waits for its order. */
export type WaitsAs = 'refund' | 'end' | 'page';

/** Says why a statement waits; null for one that has its order. */
export function waitsAs({ stated, orderId, isSetAside }: PlacedObject): WaitsAs | null {
  if (orderId !== null) return null;
  return isSetAside ? 'page' : stated.kind === 'refund' ? 'refund' : 'end';
}
