import { Counter } from 'prom-client';
import type { Feature } from '../feature.js';
import { createCleaningRefused } from './cleanRefused.js';
import { addRefusedCommands } from './commands/refused.js';
import { createRefusedPart } from './console/part.js';
import { createKeepRefusal, differingReport } from './keepRefusal.js';
import { createRefusedKeeper, type RefusedKeeper } from './keepRefused.js';
import { toListedRefused } from './listedRefused.js';
import { refusedOfPerson } from './personPart.js';
import { type RefusedBounds, refusedBounds, refusedOutcomes } from './refusedReport.js';
import { listRefused } from './sql/listRefused.js';
import { watchRefused } from './watchRefused.js';

/** Makes the feature: it keeps refused reports, for a person to mend and store them. */
export const createRefused = (bounds: RefusedBounds): Feature => ({
  name: 'refused',
  watches: { 'refused.began': watchRefused },
  events: () => ({
    'refused.began': {
      schema: 'BegunRefusalsEvent',
      summary: 'Reports of a host or field begin to be refused',
      data: {
        teamName: 'Shop',
        reason: 'domain_not_allowed',
        host: 'new.shop.example',
        field: null,
        reports: 1,
        message:
          'Reports begin to be refused: new.shop.example is not among your domains. 1 report so far. In the console, under Refused: If it is your shop, allow it: each order counts from the time when it came. If not, discard them.',
      },
    },
  }),
  person: refusedOfPerson,
  listRefused: async (...of) => (await listRefused(...of)).map(toListedRefused),
  commands: (program, { io, extrasOf }) => addRefusedCommands(program, io, extrasOf),
  make({ sql, askAllTeams }) {
    const cleaning = createCleaningRefused(sql, askAllTeams);
    // Before the start nothing is kept.
    let keeper: RefusedKeeper | undefined;
    return {
      async keepRefused(teamId, refusal) {
        await keeper?.keep(teamId, refusal);
      },
      listener: {
        stored: cleaning.wake,
        differs(exchange, teamId, issue) {
          const report = differingReport(exchange, issue);
          if (report) keeper?.keepLater(teamId, report);
        },
        unplaced: (teamId, report) => keeper?.keepLater(teamId, report),
      },
      start({ pools, clock, registry, senderCache, storeReport }) {
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
          // Where connections are few, the console shares them with known orders: a replay would wait for itself.
          console: createRefusedPart({
            sql: pools.background,
            storeReport,
            findUnkept: keeper.findUnkept,
          }),
          work: [{ name: 'refused_cleaning', start: cleaning.start }],
          stop: keeper.stop,
        };
      },
    };
  },
});

/** The feature with its usual bounds. */
export const refused = createRefused(refusedBounds);
