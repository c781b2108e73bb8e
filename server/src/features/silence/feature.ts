import type { Feature } from '../feature.js';
import { createSilencePart, type FindWatch } from './consolePart.js';
import { watchOrders } from './watchOrders.js';

/** Makes the feature that finds that a shop's orders have stopped for longer than its own hours explain. */
export const createSilence = (findWatch: FindWatch): Feature => ({
  name: 'silence',
  watches: { 'orders.stopped': watchOrders },
  console: createSilencePart(findWatch),
  events: () => ({
    'orders.stopped': {
      schema: 'StoppedOrdersEvent',
      summary: 'Orders have stopped, or come again',
      data: {
        teamName: 'Shop',
        lastOrderAt: '2026-05-01T12:00:00.000Z',
        usualOrders: 42,
        endedAt: null,
        message:
          'No order since Friday 12:00 UTC; usually there are at least 42 by now. Check that customers can buy, and that the shop’s pages still report orders.',
      },
    },
  }),
});
