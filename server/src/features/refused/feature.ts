import { Counter } from 'prom-client';
import type { Feature, FeatureDeps } from '../feature.js';
import { createCleaningRefused } from './cleanRefused.js';
import { createKeepRefusal, differingReport } from './keepRefusal.js';
import { createRefusedKeeper, type RefusedKeeper } from './keepRefused.js';
import { type RefusedBounds, refusedOutcomes } from './refusedReport.js';
import { watchRefused } from './watchRefused.js';

/** The feature, with what sources and the console use of it. Before it starts, nothing is kept. */
export type Refused = Feature & Pick<RefusedKeeper, 'keep' | 'findUnkept'>;

/** Keeps refused reports, for a person to mend and store them. */
export function createRefused({ sql }: Pick<FeatureDeps, 'sql'>, bounds: RefusedBounds): Refused {
  const cleaning = createCleaningRefused(sql);
  let keeper: RefusedKeeper | undefined;
  return {
    name: 'refused',
    async keep(teamId, refusal) {
      await keeper?.keep(teamId, refusal);
    },
    findUnkept: (teamId) => keeper?.findUnkept(teamId) ?? null,
    listener: {
      stored: cleaning.onStored,
      differs(exchange, teamId, issue) {
        const report = differingReport(exchange, issue);
        if (report) keeper?.keepLater(teamId, report);
      },
    },
    watches: { 'refused.began': watchRefused },
    start({ pools, clock, registry, senderCache }) {
      const reports = new Counter({
        registers: [registry],
        name: 'orderbeacon_refused_reports_total',
        help: 'Refused reports by outcome: kept, repeated (kept before), counted (past the limits), dropped (too many waiting), evicted (kept before, removed for others).',
        labelNames: ['outcome'],
      });
      // Every series starts at 0, because Prometheus does not see the first increase of one that starts at 1.
      for (const outcome of refusedOutcomes) reports.inc({ outcome }, 0);
      keeper = createRefusedKeeper(pools.refused, (outcome) => reports.inc({ outcome }), bounds, clock);
      return {
        keepRefusal: createKeepRefusal(senderCache, keeper.keep),
        work: [{ name: 'refused_cleaning', start: cleaning.start }],
        stop: keeper.stop,
      };
    },
  };
}
