import { Gauge } from 'prom-client';
import { createReportOrders } from '../../core/orders/store/sql/reportOrders.js';
import type { StoreReports } from '../../core/orders/store/storeReport.js';
import { tryStoring } from '../../database/tryStoring.js';
import type { Feature } from '../../host/host.js';
import { type AskNodes, createAskNodes } from './askNodes.js';
import { byDistribution } from './byDistribution.js';
import { nodeChecks } from './checkNodes.js';
import { distribute, distributeHelp } from './commands/distribute.js';
import { isDistributed } from './distributedTables.js';
import { distributeNewTables } from './distributeTables.js';
import { storeDistributed } from './storeDistributed.js';
import { tryStoringDistributed } from './tryStoringDistributed.js';

/** Stores orders in tables that are distributed over a Citus cluster. */
export const citus: Feature = {
  name: 'citus',
  install(host) {
    let nodes: AskNodes | undefined;
    host.doctor(nodeChecks);
    host.distribute({
      distribute,
      distributeHelp,
      isDistributed,
      migrated: distributeNewTables,
      tryStoring: (sql) => byDistribution(sql, { local: tryStoring, distributed: tryStoringDistributed }),
      askAllTeams(sql, noteFault) {
        nodes = createAskNodes(sql, noteFault);
        return nodes.askAllTeams;
      },
      reports(sql, listeners) {
        const distributed: StoreReports = (...of) => storeDistributed(...of, listeners);
        return byDistribution(sql, { local: createReportOrders(listeners), distributed });
      },
    });
    host.server(({ registry }) => {
      new Gauge({
        registers: [registry],
        name: 'orderbeacon_nodes_away',
        help: 'Nodes of a Citus cluster that did not answer when they were asked last; 0 for one PostgreSQL.',
        collect() {
          this.set(nodes?.countAway() ?? 0);
        },
      });
    });
  },
};
