import { Hono } from 'hono';
import type { ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderPage } from '../parts/layout.js';
import { loadOverview } from './loadOverview.js';
import { Overview } from './overview.js';

/** `GET /console/team_…`: orders and money of a range, the newest orders, and where they come from. */
export function overviewRoutes(deps: ConsoleDeps): Hono<ConsoleEnv> {
  return new Hono<ConsoleEnv>().get('/', async (c) =>
    renderPage(c, <Overview {...(await loadOverview(c, deps))} />, {
      title: 'Overview',
      here: 'Overview',
      isLive: true,
    }),
  );
}
