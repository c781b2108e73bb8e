import type { HookDelivery } from './hookDelivery.js';

/** `failing` has a next attempt after one that failed, `failed` has none. */
export type DeliveryState = 'waiting' | 'delivered' | 'failing' | 'failed';

/** Tells what became of a delivery. */
export function deliveryState({
  deliveredAt,
  nextAt,
  error,
}: Pick<HookDelivery, 'deliveredAt' | 'nextAt' | 'error'>): DeliveryState {
  if (deliveredAt !== null) return 'delivered';
  if (nextAt === null) return 'failed';
  return error === null ? 'waiting' : 'failing';
}
