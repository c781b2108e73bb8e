import type { Feature } from '../../host/host.js';
import { addRepeats } from './addRepeats.js';
import { createCountRepeats } from './countRepeats.js';
import { removeRepeats } from './sql/orderRepeat.js';

/** Finds pages that report the same order for every buyer. */
export const repeats: Feature = {
  name: 'repeats',
  install(host) {
    addRepeats(host.console);
    host.listen(({ sql, noteFault, onStop }) => {
      const { count, stop } = createCountRepeats(sql, (error) => noteFault('order_repeats', error));
      onStop(stop);
      return {
        onReportRepeated({ sender, clientOf, incoming }, teamId, { id, visitorId }) {
          if (sender?.keyHash === null) count(teamId, id, visitorId, clientOf(incoming));
        },
        onOrdersGone: async (tx, teamId, orders) =>
          removeRepeats(
            tx,
            teamId,
            orders.map(({ id }) => id),
          ),
      };
    });
  },
};
