import type { ConsolePart } from '../../console/part.js';
import { renderPage } from '../../console/parts/layout.js';
import { loadOverview } from './loadOverview.js';
import { Overview } from './overview.js';

/** The first page of a team. */
export const overviewPart: ConsolePart = {
  at: 0,
  place: { path: '', title: 'Overview', icon: 'M4 20V11M10 20V4M16 20v-6M21 20H3' },
  routes(app, deps) {
    app.get('/', async (c) =>
      renderPage(c, <Overview {...(await loadOverview(c, deps))} />, {
        title: 'Overview',
        here: 'Overview',
        isLive: true,
      }),
    );
  },
};
