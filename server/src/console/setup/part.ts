import type { ConsolePart } from '../part.js';
import { setupRoutes } from './setupRoutes.js';

/** What a team sets up; other parts add pages to it. */
export const setupPart: ConsolePart = {
  at: 50,
  place: { path: '/setup', title: 'Setup', icon: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5' },
  routes: (app, deps) => app.route('/setup', setupRoutes(deps)),
  bookmarks: ['/setup'],
};
