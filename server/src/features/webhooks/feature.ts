import type { Feature } from '../../host/host.js';
import { addHookCommands } from './commands/hook.js';
import { addWebhooks } from './console/addWebhooks.js';
import { describeHookEvents } from './describeEvents.js';
import { startDeliveryExpiry } from './expireDeliveries.js';
import { addHookGauges } from './hookGauges.js';
import { createIdleWait } from './idleWait.js';
import { createHookListener } from './listener.js';
import { deliveriesOfPerson } from './personPart.js';
import { sendHook } from './send.js';
import { startDelivering } from './startDelivering.js';
import { startWatching } from './startWatching.js';

/** Number of queued orders above which deliveries slow down. */
const ordersAtRest = 16;

/** Notifies a team's other systems of changes of its orders and people. */
export const webhooks: Feature = {
  name: 'webhooks',
  install(host) {
    const idle = createIdleWait();
    host.command(addHookCommands);
    host.person(deliveriesOfPerson);
    host.event(describeHookEvents);
    host.listen(() => createHookListener(idle));
    addWebhooks(host.console);
    host.server(({ pools, askAllTeams, clock, registry, load, watches, every }) => {
      const { nowMs } = clock;
      const isBusy = () => load().rows > ordersAtRest;
      addHookGauges(pools.watch, askAllTeams, registry);
      every('hook_expiry', (noteFault) => startDeliveryExpiry(pools.background, askAllTeams, noteFault));
      every('hook_deliveries', (noteFault) =>
        startDelivering({ sql: pools.hooks, askAllTeams, send: sendHook, clock, noteFault, isBusy, idle }),
      );
      every('hook_checks', (noteFault) =>
        startWatching(pools.background, watches, { askAllTeams, nowMs, noteFault }),
      );
    });
  },
};
