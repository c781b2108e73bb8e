import type { PlacedObject } from './plan.js';

/** Reasons why a statement waits for its order. */
export type WaitsAs = 'refund' | 'end' | 'page';

/** Returns the reason why a statement waits; null if it has its order. */
export function waitsAs({ stated, orderId, isSetAside }: PlacedObject): WaitsAs | null {
  if (orderId !== null) return null;
  return isSetAside ? 'page' : stated.kind === 'refund' ? 'refund' : 'end';
}
