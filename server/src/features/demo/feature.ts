import type { Feature } from '../feature.js';
import { announceDemo } from './announceDemo.js';
import { samplesPart } from './consolePart.js';
import { demoRoutes } from './demoRoutes.js';
import { findDemoTeam, noteRemoval } from './sql/demoTeam.js';

/** A team with a month of sample orders, and a page whose buttons try to lose an order. */
export const demo: Feature = {
  name: 'demo',
  team: { onRemove: noteRemoval },
  findExampleTeam: findDemoTeam,
  announce: announceDemo,
  console: samplesPart,
  make: () => ({
    start: (core) => ({
      pages: [{ path: '/demo', routes: demoRoutes(core) }],
      ways: core.trialAccess === 'nobody' ? [] : [{ title: 'Demo', path: '/demo' }],
    }),
  }),
};
