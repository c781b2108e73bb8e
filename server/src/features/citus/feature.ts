import { createReportOrders } from '../../core/orders/store/sql/reportOrders.js';
import type { StoreReports } from '../../core/orders/store/storeReport.js';
import { tryStoring } from '../../database/tryStoring.js';
import type { Feature } from '../../host/host.js';
import { byDistribution } from './byDistribution.js';
import { distribute, distributeHelp } from './commands/distribute.js';
import { isDistributed } from './distributedTables.js';
import { distributeNewTables } from './distributeTables.js';
import { storeDistributed } from './storeDistributed.js';
import { tryStoringDistributed } from './tryStoringDistributed.js';

/** Stores orders also where the tables are distributed over a Citus cluster. */
export const citus: Feature = {
  name: 'citus',
  install(host) {
    host.distribute({
      distribute,
      distributeHelp,
      isDistributed,
      migrated: distributeNewTables,
      tryStoring: (sql) => byDistribution(sql, { local: tryStoring, distributed: tryStoringDistributed }),
      reports(sql, listeners) {
        const distributed: StoreReports = (...of) => storeDistributed(...of, listeners);
        return byDistribution(sql, { local: createReportOrders(listeners), distributed });
      },
    });
  },
};
