import type { Feature } from '../feature.js';
import { createIdentifySource } from '../sources/identifySource.js';
import { apiKeyPath } from './apiKeyRequest.js';
import { wooPluginPart } from './consolePart.js';
import { postApiKey } from './postApiKey.js';
import { postHello } from './postHello.js';

/** A plugin for WordPress with the team's values, which does all that the recipe for WooCommerce does by hand. */
export const wooPlugin: Feature = {
  name: 'wooPlugin',
  console: wooPluginPart,
  make: () => ({
    start: (core) => ({
      endpoints: [
        {
          method: 'POST',
          path: '/svc-api/v1/woocommerce/hello/:token',
          handle: postHello({ ...core, identifySource: createIdentifySource(core) }),
        },
        { method: 'POST', path: apiKeyPath, handle: postApiKey(core) },
      ],
    }),
  }),
};
