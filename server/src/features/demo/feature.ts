import type { Feature } from '../../host/host.js';
import { addSamples } from './addSamples.js';
import { announceDemo } from './announceDemo.js';
import { demoRoutes } from './demoRoutes.js';
import { noteRemoval } from './sql/demoTeam.js';

/** A team with a month of sample orders, and a page whose buttons try to lose an order. */
export const demo: Feature = {
  name: 'demo',
  install(host) {
    host.listen(() => ({ onTeamRemoved: noteRemoval }));
    addSamples(host.console);
    host.server((server) => {
      const { publicUrl, sdk, trialAccess } = server;
      const isPageServed = trialAccess !== 'nobody';
      server.pages('/demo', demoRoutes(server));
      if (isPageServed) server.navLink({ title: 'Demo', path: '/demo' });
      server.listen({
        onListening(sql, notify) {
          const isTerminal = process.stdout.isTTY === true;
          return announceDemo(sql, { publicUrl: publicUrl(), sdk, isPageServed, isTerminal }, notify);
        },
      });
    });
  },
};
