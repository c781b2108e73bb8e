import type { Feature } from '../../host/host.js';
import { addCompareCommand } from './commands/orderCompare.js';
import { addCompare } from './console/addCompare.js';

/** Compares the orders of a shop's file with the stored ones. */
export const compare: Feature = {
  name: 'compare',
  install(host) {
    host.command(addCompareCommand);
    host.server(({ storeReport }) => addCompare(host.console, storeReport));
  },
};
