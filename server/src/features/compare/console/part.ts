import type { ConsolePart } from '../../../console/part.js';
import type { StoreReport } from '../../../core/orders/storeReport.js';
import { compareRoutes } from './compareRoutes.js';
import { createCompareUpload } from './compareUpload.js';

/** The comparison with a shop's own list of orders, which is uploaded. */
export function createComparePart(storeReport: StoreReport): ConsolePart {
  return {
    at: 80,
    fileRoutes(app, { inTurn, secret, clock }) {
      const nowMs = () => clock.nowMs();
      app.route('/compare', compareRoutes(createCompareUpload(inTurn, { secret, storeReport, nowMs })));
    },
    bookmarks: ['/compare'],
  };
}
