import type { ConsolePart } from '../../../console/part.js';
import type { RefusedKeeper } from '../keepRefused.js';
import type { ReplayDeps } from '../replayRefused.js';
import { sumRefused } from '../sql/groupRefused.js';
import { newestRefused } from '../sql/listRefused.js';
import { RefusedMark } from './refusedMark.js';
import { refusedRoutes } from './refusedRoutes.js';
import { readRefusedSteps } from './refusedSteps.js';
import { sayRefusedSum } from './refusedSum.js';
import { createStoreRefused } from './storeRefused.js';

/** Refused reports, and what stores them after all. */
export function createRefusedPart({
  storeReport,
  findUnkept,
}: {
  storeReport: ReplayDeps['storeReport'];
  findUnkept: RefusedKeeper['findUnkept'];
}): ConsolePart {
  return {
    at: 30,
    place: {
      path: '/refused',
      title: 'Refused',
      icon: 'M12 4 2.8 20h18.4zM12 10v4M12 17.4v.1',
      mark: async (c) => <RefusedMark sums={await c.var.queryOnce(sumRefused)} />,
    },
    routes(app, { inTurn, secret }) {
      const storeRefused = createStoreRefused(inTurn, { secret, storeReport });
      app.route('/refused', refusedRoutes({ storeRefused, findUnkept }));
    },
    async trouble({ var: { link, queryOnce, viewer } }) {
      const title = sayRefusedSum(await queryOnce(sumRefused), viewer);
      return title === null ? null : { tone: 'bad', title, href: link('/refused'), button: 'Fix them' };
    },
    ofOrder: readRefusedSteps,
    news: newestRefused,
    bookmarks: ['/refused'],
  };
}
