import type { ConsolePart } from '../../../console/part.js';
import type { StoreReport } from '../../../core/orders/storeReport.js';
import { compareRoutes } from './compareRoutes.js';
import { createCompareUpload } from './compareUpload.js';

/** The comparison with a shop's own list of orders, which is uploaded. */
export function createComparePart(storeReport: StoreReport): ConsolePart {
  return {
    at: 80,
    fileRoutes(app, { ask, secret, clock }) {
      const nowMs = () => clock.nowMs();
      app.route('/compare', compareRoutes(createCompareUpload(ask, { secret, storeReport, nowMs })));
    },
    bookmarks: ['/compare'],
  };
}
