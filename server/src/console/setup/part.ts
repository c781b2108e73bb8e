import type { ConsolePart } from '../part.js';
import { setFlash } from '../parts/layout.js';
import { domainRoutes } from './domainRoutes.js';
import { installRoutes } from './installRoutes.js';
import { keyRoutes } from './keyRoutes.js';
import { chooseZone } from './zone.js';

/** No name of a time zone is longer. */
const zoneCharacters = 64;

/** What a team sets up: the tag, domains, keys and its time zone. Other parts add pages to it. */
export const setupPart: ConsolePart = {
  at: 50,
  place: { path: '/setup', title: 'Setup', icon: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5' },
  bookmarks: ['/setup'],
  routes(app, deps) {
    // Leads to the first of its pages.
    app.get('/setup', (c) => c.redirect(c.var.link('/setup/install', c.req.query()), 303));
    app.post('/setup/zone', async (c) => {
      const zone = await c.var.query(
        chooseZone,
        (c.var.form.zone ?? '').slice(0, zoneCharacters),
        deps.listeners,
      );
      setFlash(
        c,
        zone === null
          ? {
              words: 'The server does not know this time zone. Whoever runs it can set another one.',
              tone: 'bad',
            }
          : { words: `All days and times are in the time zone ${zone}.` },
      );
      return c.redirect(c.var.link('/setup/install'), 303);
    });
    app.route('/setup/install', installRoutes(deps));
    app.route('/setup/domains', domainRoutes(deps));
    app.route('/setup/keys', keyRoutes(deps));
  },
};
