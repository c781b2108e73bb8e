import type { Feature } from '../feature.js';
import { createIdentifySource } from '../sources/identifySource.js';
import { findSources } from '../sources/sql/source.js';
import { apiKeyPath } from './apiKeyRequest.js';
import { wooPluginPart } from './consolePart.js';
import { postApiKey } from './postApiKey.js';
import { postHello } from './postHello.js';

/** A plugin for WordPress with the team's values, which does all that the recipe for WooCommerce does by hand. */
export const wooPlugin: Feature = {
  name: 'wooPlugin',
  console: wooPluginPart,
  make: () => ({
    start(core) {
      const { pools, queue, senderCache, limitRate } = core;
      const identifySource = createIdentifySource(
        senderCache,
        limitRate,
        (teamId, tokens) => findSources(pools.work, teamId, tokens),
        queue,
      );
      return {
        endpoints: [
          {
            method: 'POST',
            path: '/svc-api/v1/woocommerce/hello/:token',
            handle: postHello({ ...core, identifySource }),
          },
          { method: 'POST', path: apiKeyPath, handle: postApiKey(core) },
        ],
      };
    },
  }),
};
