import { Counter } from 'prom-client';
import { notifyListeners } from '../../core/listener.js';
import type { Feature } from '../../host/host.js';
import { createSendToShop } from './ask/sendToShop.js';
import { startSyncing } from './ask/startSyncing.js';
import { sourceChecks } from './checks.js';
import { addSourceCommands } from './commands/source.js';
import { addSources } from './console/addSources.js';
import { sourcesOfPerson } from './personPart.js';
import { createAwayTime } from './receive/awayTime.js';
import { createIdentifySource } from './receive/identifySource.js';
import { postSource } from './receive/postSource.js';
import { createRecordEvents } from './receive/recordEvents.js';
import { startStoringAllowed } from './receive/storeAllowed.js';
import { createStoreEvent } from './receive/storeEvent.js';

/** Receives the webhooks of shop systems and payment providers, and asks shops for orders that no webhook sent. */
export const sources: Feature = {
  name: 'sources',
  install(host) {
    host.command(addSourceCommands);
    host.doctor(sourceChecks);
    host.person(sourcesOfPerson);
    addSources(host.console);
    host.server((server) => {
      const { pools, clock, registry, inTurn, listeners, askAllTeams } = server;
      const sql = pools.background;
      const events = new Counter({
        registers: [registry],
        name: 'orderbeacon_source_events_total',
        help: 'Events of shop systems by outcome: new, known, refund or taken_back (stored), kept (among the refused reports), other_host (kept apart), ignored or ping (nothing to store), invalid_signature, too_large or shop_error (refused).',
        labelNames: ['source', 'outcome'],
      });
      const away = createAwayTime(clock);
      const storeEvent = createStoreEvent({
        ...server,
        keepRefused: (teamId, report) => notifyListeners(listeners, 'onReportRefused', teamId, report, false),
      });
      const records = createRecordEvents(sql, (source, outcome) => events.inc({ source, outcome }));
      const identifySource = createIdentifySource(server);
      server.post(
        '/svc-api/v1/sources/:token',
        postSource({ clock, identifySource, storeEvent, records, away, inTurn }),
      );
      server.every('source_hosts', (noteFault) =>
        startStoringAllowed({ sql, askAllTeams, storeEvent, noteFault }),
      );
      server.every('source_sync', (noteFault) => {
        const send = createSendToShop();
        return startSyncing({ sql, askAllTeams, storeEvent, away, send, nowMs: clock.nowMs, noteFault });
      });
    });
  },
};
