import type { Feature } from '../feature.js';
import { addCompareCommand } from './commands/orderCompare.js';
import { createComparePart } from './console/part.js';

/** Compares the orders of any shop's file with those that are stored. */
export const compare: Feature = {
  name: 'compare',
  commands: (program, { io, extrasOf }) => addCompareCommand(program, io, extrasOf),
  make: () => ({ start: ({ storeReport }) => ({ console: createComparePart(storeReport) }) }),
};
