import { Hono } from 'hono';
import type { ConsoleEnv } from '../context.js';
import type { ConsoleDeps } from '../part.js';
import { setFlash } from '../parts/layout.js';
import { chooseZone } from './chooseZone.js';
import { domainRoutes } from './domainRoutes.js';
import { installRoutes } from './installRoutes.js';
import { keyRoutes } from './keyRoutes.js';

/** No name of a time zone is longer. */
const zoneCharacters = 64;

/** `GET …/setup`, which leads to the first of its pages, and the pages of the tag, domains and keys with their forms. */
export function setupRoutes(deps: ConsoleDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.get('/', (c) => c.redirect(c.var.link('/setup/install', c.req.query()), 303));
  app.post('/zone', async (c) => {
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
  app.route('/install', installRoutes(deps));
  app.route('/domains', domainRoutes(deps));
  app.route('/keys', keyRoutes(deps));
  return app;
}
