import { findDemoTeam } from '../../core/teams/sql/team.js';
import type { Feature } from '../../host/host.js';
import { version } from '../../values/version.js';
import { docsRoutes } from './docsRoutes.js';
import { openApiRoutes } from './openApiRoutes.js';

/** Serves the guides, and the description of the API with a form that calls it. */
export const docs: Feature = {
  name: 'docs',
  install(host) {
    host.server(({ pools, publicUrl, served, pages, navLink }) => {
      pages(
        '/openapi.json',
        openApiRoutes(() => findDemoTeam(pools.watch), version, publicUrl, served),
      );
      pages('/', docsRoutes(served));
      navLink({ title: 'Docs', path: '/docs', isOfGuides: true });
      navLink({ title: 'API', path: '/docs/api' });
    });
  },
};
