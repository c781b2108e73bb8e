import type { Feature } from '../../host/host.js';
import { addSilence, type FindWatch } from './addSilence.js';
import { describeStopped } from './describeStopped.js';
import { watchOrders } from './watchOrders.js';

/**
 * Creates the feature that finds out if a shop's orders have stopped for longer than its usual hours explain.
 * @param findWatch finds since when webhooks watch a team; by default they watch no team
 */
export const createSilence = (findWatch: FindWatch = async () => undefined): Feature => ({
  name: 'silence',
  install(host) {
    host.event(describeStopped);
    host.watch('orders.stopped', watchOrders);
    addSilence(host.console, findWatch);
  },
});
