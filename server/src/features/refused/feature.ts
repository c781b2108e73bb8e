import { Counter } from 'prom-client';
import type { RefusedRequest } from '../../core/orders/refusedRequest.js';
import type { Feature } from '../../host/host.js';
import { createCleaningRefused } from './cleanRefused.js';
import { addRefusedCommands } from './commands/refused.js';
import { addRefused } from './console/addRefused.js';
import { describeRefusedEvents } from './describeEvents.js';
import { createKeepRefusal, differingReport } from './keepRefusal.js';
import { createRefusedKeeper } from './keepRefused.js';
import { refusedOfPerson } from './personPart.js';
import { type RefusedBounds, refusedBounds, refusedOutcomes } from './refusedReport.js';
import { watchRefused } from './watchRefused.js';

/** Creates the feature that keeps refused reports, so that a person can correct and store them. */
export const createRefused = (bounds: RefusedBounds): Feature => ({
  name: 'refused',
  install(host) {
    host.event(describeRefusedEvents);
    host.watch('refused.began', watchRefused);
    host.person(refusedOfPerson);
    host.command(addRefusedCommands);
    host.listen(({ sql, askAllTeams, every }) => {
      const cleaning = createCleaningRefused(sql, askAllTeams);
      every('refused_cleaning', cleaning.start);
      return { onReportsStored: cleaning.wake };
    });
    host.server(({ pools, clock, registry, senderCache, storeReport, listen, onStop }) => {
      const reports = new Counter({
        registers: [registry],
        name: 'orderbeacon_refused_reports_total',
        help: 'Refused reports by outcome: kept, repeated (kept before), counted (past the limits), dropped (too many waiting), evicted (kept before, removed for others).',
        labelNames: ['outcome'],
      });
      // Each series starts at 0, because Prometheus misses the first increase of a series that starts at 1.
      for (const outcome of refusedOutcomes) reports.inc({ outcome }, 0);
      const keeper = createRefusedKeeper(pools.refused, (outcome) => reports.inc({ outcome }), bounds, clock);
      listen({
        onRequestRefused: createKeepRefusal(senderCache, keeper.keep),
        onReportRefused: async (teamId, report: RefusedRequest, wasAccepted) =>
          wasAccepted ? keeper.keepLater(teamId, report) : keeper.keep(teamId, report),
        onReportRepeated(exchange, teamId, _order, difference) {
          const report = difference && differingReport(exchange, difference);
          if (report) keeper.keepLater(teamId, report);
        },
      });
      onStop(keeper.stop);
      // Uses the background pool. If connections are few, the console has the pool with which known orders are stored,
      // and a replay would wait for itself.
      const { findUnkept } = keeper;
      addRefused(host.console, { sql: pools.background, storeReport, findUnkept });
    });
  },
});

/** The feature with the usual limits. */
export const refused = createRefused(refusedBounds);
