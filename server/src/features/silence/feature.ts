import type { Feature } from '../feature.js';
import { createSilencePart, type FindWatch } from './consolePart.js';
import { watchOrders } from './watchOrders.js';

/** Makes the feature that finds that a shop's orders have stopped for longer than its own hours explain. */
export const createSilence = (findWatch: FindWatch): Feature => ({
  name: 'silence',
  watches: { 'orders.stopped': watchOrders },
  console: createSilencePart(findWatch),
});
