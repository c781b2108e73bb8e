import type { Feature } from '../feature.js';
import { noteRemoval } from './sql/demoTeam.js';

/** A team with a month of sample orders, and a page whose buttons try to lose an order. */
export const demo: Feature = { name: 'demo', team: { onRemove: noteRemoval } };
