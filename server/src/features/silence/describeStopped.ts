import type { DescribeEvents } from '../../http/operation.js';

/** Describes the event of orders that stop or come again. */
export const describeStopped: DescribeEvents = () => ({
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
});
