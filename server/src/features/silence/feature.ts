import type { Feature } from '../feature.js';
import { watchOrders } from './watchOrders.js';

/** Finds that a shop's orders have stopped for longer than its own hours explain. */
export const silence: Feature = { name: 'silence', watches: { 'orders.stopped': watchOrders } };
