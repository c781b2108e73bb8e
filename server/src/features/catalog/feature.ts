import type { Feature } from '../../host/host.js';
import { addProductCommands } from './commands.js';
import { rebuildProducts } from './importProducts.js';

/** Imports products, in the form of the look-up or as Shopify and WooCommerce have them, and builds the bodies that it answers. */
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
