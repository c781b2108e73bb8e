import type { RefusedReport } from '../listener.js';
import type { OfShop } from './report.js';

/** Error code of a refund that is kept because it found no order. It is no order, so it is never replayed. */
export const refundNotStored = 'refund_not_stored';

/** Fields beyond a refused report that a shop system sent: its object, identifiers and version. */
export interface KeptStatement {
  ofShop: OfShop;
  keys: string[];
  changedAt: string | null;
  createdAt: string;
  isDated: boolean;
}

export type RefusedRequest = RefusedReport<KeptStatement>;
