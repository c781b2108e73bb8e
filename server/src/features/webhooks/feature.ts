import type { Feature } from '../feature.js';
import { addHookCommands } from './commands/hook.js';
import { webhooksPart } from './console/part.js';
import { describeHookEvents } from './describeEvents.js';
import { startDeliveryExpiry } from './expireDeliveries.js';
import { addHookGauges } from './hookGauges.js';
import { createIdleWait } from './idleWait.js';
import { createHookListener } from './listener.js';
import { deliveriesOfPerson } from './personPart.js';
import { sendHook } from './send.js';
import { startDelivering } from './startDelivering.js';
import { startWatching } from './startWatching.js';

/** Deliveries slow down above this many queued orders. */
const ordersAtRest = 16;

/** Tells a team's own systems what happens to its orders and people. */
export const webhooks: Feature = {
  name: 'webhooks',
  person: deliveriesOfPerson,
  console: webhooksPart,
  events: describeHookEvents,
  commands: (program, { io }) => addHookCommands(program, io),
  make({ watches, askAllTeams }) {
    const idle = createIdleWait();
    return {
      wake: idle.wake,
      listener: createHookListener(idle),
      start({ pools, clock, registry, load }) {
        addHookGauges(pools.watch, askAllTeams, registry);
        return {
          work: [
            {
              name: 'hook_expiry',
              start: (noteFault) => startDeliveryExpiry(pools.background, askAllTeams, noteFault),
            },
            {
              name: 'hook_deliveries',
              start: (noteFault) =>
                startDelivering({
                  sql: pools.hooks,
                  askAllTeams,
                  send: sendHook,
                  clock,
                  noteFault,
                  isBusy: () => load().rows > ordersAtRest,
                  idle,
                }),
            },
            {
              name: 'hook_checks',
              start: (noteFault) =>
                startWatching(pools.background, watches, { askAllTeams, nowMs: clock.nowMs, noteFault }),
            },
          ],
        };
      },
    };
  },
};
