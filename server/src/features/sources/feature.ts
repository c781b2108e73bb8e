import { Counter } from 'prom-client';
import type { Feature } from '../feature.js';
import { createAwayTime } from './awayTime.js';
import { sourceChecks } from './checks.js';
import { addSourceCommands } from './commands/source.js';
import { sourcesPart } from './console/part.js';
import { createIdentifySource } from './identifySource.js';
import { sourcesOfPerson } from './personPart.js';
import { postSource } from './postSource.js';
import { createRecordEvents } from './recordEvents.js';
import { createSendToShop } from './sendToShop.js';
import { startSyncing } from './startSyncing.js';
import { startStoringAllowed } from './storeAllowed.js';
import { createStoreEvent } from './storeEvent.js';

/** Takes what shop systems and payment providers say, and asks shops for what no webhook brought. */
export const sources: Feature = {
  name: 'sources',
  checks: sourceChecks,
  person: sourcesOfPerson,
  console: sourcesPart,
  commands: (program, { io, extrasOf }) => addSourceCommands(program, io, extrasOf),
  make: ({ keepRefused, askAllTeams }) => ({
    start(core) {
      const { pools, clock, registry, inTurn } = core;
      const events = new Counter({
        registers: [registry],
        name: 'orderbeacon_source_events_total',
        help: 'Events of shop systems by outcome: new, known, refund or taken_back (stored), kept (among the refused reports), other_host (kept apart), ignored or ping (nothing to store), invalid_signature, too_large or shop_error (refused).',
        labelNames: ['source', 'outcome'],
      });
      const away = createAwayTime(clock);
      const storeEvent = createStoreEvent({ ...core, keepRefused });
      const records = createRecordEvents(pools.background, (source, outcome) =>
        events.inc({ source, outcome }),
      );
      const identifySource = createIdentifySource(core);
      return {
        endpoints: [
          {
            method: 'POST',
            path: '/svc-api/v1/sources/:token',
            handle: postSource({ clock, identifySource, storeEvent, records, away, inTurn }),
          },
        ],
        work: [
          {
            name: 'source_hosts',
            start: (noteFault) =>
              startStoringAllowed({ sql: pools.background, askAllTeams, storeEvent, noteFault }),
          },
          {
            name: 'source_sync',
            start: (noteFault) =>
              startSyncing({
                sql: pools.background,
                askAllTeams,
                storeEvent,
                away,
                send: createSendToShop(),
                nowMs: clock.nowMs,
                noteFault,
              }),
          },
        ],
      };
    },
  }),
};
