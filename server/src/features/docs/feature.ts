import { version } from '../../values/version.js';
import type { Feature } from '../feature.js';
import { docsRoutes } from './docsRoutes.js';
import { openApiRoutes } from './openApiRoutes.js';

/** Serves the guides, and the description of the API with a form that tries it. */
export const docs: Feature = {
  name: 'docs',
  make: () => ({
    start: ({ pools, publicUrl, findExampleTeam, served }) => ({
      pages: [
        {
          path: '/openapi.json',
          routes: openApiRoutes(() => findExampleTeam(pools.watch), version, publicUrl, served),
        },
        { path: '/', routes: docsRoutes(served) },
      ],
      ways: [
        { title: 'Docs', path: '/docs' },
        { title: 'API', path: '/docs/api' },
      ],
    }),
  }),
};
