import type { ConsoleHost } from '../consoleHost.js';
import { domainRoutes } from './domainRoutes.js';
import { installRoutes } from './installRoutes.js';
import { keyRoutes } from './keyRoutes.js';
import { shopRoutes } from './shopRoutes.js';

/** Adds the pages of Setup: the tag, domains, the shop, and keys. */
export function addSetup(console: ConsoleHost): void {
  console.section({
    at: 50,
    path: '/setup',
    title: 'Setup',
    icon: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  });
  console.pages((app, deps) => {
    // Leads to the first of its pages.
    app.get('/setup', (c) => c.redirect(c.var.link('/setup/install', c.req.query()), 303));
    app.route('/setup/install', installRoutes(deps));
    app.route('/setup/domains', domainRoutes(deps));
    app.route('/setup/shop', shopRoutes(deps));
    app.route('/setup/keys', keyRoutes(deps));
  });
}
