import type { Feature } from '../../host/host.js';
import { addSilence, type FindWatch } from './addSilence.js';
import { describeStopped } from './describeStopped.js';
import { watchOrders } from './watchOrders.js';

/**
 * Makes the feature that finds that a shop's orders have stopped for longer than its own hours explain.
 * @param findWatch finds since when webhooks watch a team; by default none do
 */
export const createSilence = (findWatch: FindWatch = async () => undefined): Feature => ({
  name: 'silence',
  install(host) {
    host.event(describeStopped);
    host.watch('orders.stopped', watchOrders);
    addSilence(host.console, findWatch);
  },
});
