import type { Feature } from '../feature.js';
import { repeatsPart } from './consolePart.js';
import { createCountRepeats } from './countRepeats.js';
import { removeRepeats } from './sql/orderRepeat.js';

/** Finds pages that report the same order for every buyer. */
export const repeats: Feature = {
  name: 'repeats',
  console: repeatsPart,
  make({ sql, noteFault }) {
    const { count, stop } = createCountRepeats(sql, (error) => noteFault('order_repeats', error));
    return {
      listener: {
        repeated: ({ clientOf, incoming }, teamId, { id, visitorId }) =>
          count(teamId, id, visitorId, clientOf(incoming)),
        ordersGone: async (tx, teamId, orders) =>
          removeRepeats(
            tx,
            teamId,
            orders.map(({ id }) => id),
          ),
      },
      start: () => ({ stop }),
    };
  },
};
