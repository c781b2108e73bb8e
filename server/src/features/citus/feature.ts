import type { Listeners } from '../../core/listener.js';
import type { Feature } from '../feature.js';
import { distributeNewTables } from './distributeTables.js';
import { choosePlaced } from './placement.js';
import { storeDistributed } from './storeDistributed.js';
import { tryStoringDistributed } from './tryStoringDistributed.js';

/**
 * Stores orders also where the tables are distributed over a Citus cluster.
 * @param listeners of all features
 */
export const createCitus = (listeners: Listeners): Feature => ({
  name: 'citus',
  placement: {
    reports: (sql, local) =>
      choosePlaced(sql, {
        local,
        distributed: (own, teamId, reports) => storeDistributed(own, teamId, reports, listeners),
      }),
    tryStoring: (sql, local) => choosePlaced(sql, { local, distributed: tryStoringDistributed }),
    migrated: distributeNewTables,
  },
});
