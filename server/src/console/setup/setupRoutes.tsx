import { Hono } from 'hono';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { domainRoutes } from './domainRoutes.js';
import { installRoutes } from './installRoutes.js';
import { keyRoutes } from './keyRoutes.js';
import { sourceRoutes } from './sourceRoutes.js';

/** `GET …/setup`, which leads to the first of its four pages, and these pages with their forms. */
export function setupRoutes(deps: ConsoleDeps): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.get('/', (c) => c.redirect(c.var.link('/setup/install', c.req.query()), 303));
  app.route('/install', installRoutes(deps));
  app.route('/domains', domainRoutes());
  app.route('/sources', sourceRoutes(deps));
  app.route('/keys', keyRoutes(deps));
  return app;
}
