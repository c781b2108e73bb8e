import type { Feature } from '../../host/host.js';
import { addProductCommands } from './commands.js';
import { rebuildProducts } from './importProducts.js';

/**
 * Imports products in the form of the look-up, of Shopify or of WooCommerce, and builds the bodies that the look-up
 * answers.
 */
export const catalog: Feature = {
  name: 'catalog',
  install(host) {
    host.command(addProductCommands);
    host.listen(() => ({
      async onTeamChanged(tx, teamId, before, { storefrontUrl }) {
        if (storefrontUrl !== before.storefrontUrl) await rebuildProducts(tx, teamId, storefrontUrl);
      },
    }));
  },
};
