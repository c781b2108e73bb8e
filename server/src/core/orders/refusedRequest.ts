import type { RefusedReport } from '../listener.js';
import type { OfShop } from './report.js';

/** The reason for which a refund is kept that no order has. It is no order, so it is never replayed. */
export const refundNotStored = 'refund_not_stored';

/** What a shop system said beyond a report that is refused: its object, names and version. */
export interface KeptStatement {
  ofShop: OfShop;
  keys: string[];
  changedAt: string | null;
  createdAt: string;
  isDated: boolean;
}

/** A report that was refused, with its origin. */
export type RefusedRequest = RefusedReport<KeptStatement>;
