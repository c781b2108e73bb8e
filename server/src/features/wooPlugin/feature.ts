import type { Feature } from '../../host/host.js';
import { createIdentifySource } from '../sources/receive/identifySource.js';
import { addPlugin } from './addPlugin.js';
import { apiKeyPath } from './apiKeyRequest.js';
import { postApiKey } from './postApiKey.js';
import { postHello } from './postHello.js';

/** A plugin for WordPress with the team's values. It does everything that the recipe for WooCommerce does by hand. */
export const wooPlugin: Feature = {
  name: 'wooPlugin',
  install(host) {
    host.server((server) => {
      const identifySource = createIdentifySource(server);
      addPlugin(host.console, server.publicUrl);
      server.post('/svc-api/v1/woocommerce/hello/:token', postHello({ ...server, identifySource }));
      server.post(apiKeyPath, postApiKey(server));
    });
  },
};
