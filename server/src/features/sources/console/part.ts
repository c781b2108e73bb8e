import type { ConsolePart } from '../../../console/part.js';
import { formatSpan } from '../../../console/parts/format.js';
import { providers } from '../providers.js';
import { listSources } from '../sql/source.js';
import { sourceRoutes } from './sourceRoutes.js';

/** The shop systems that report orders themselves. */
export const sourcesPart: ConsolePart = {
  at: 60,
  setup: {
    title: 'Sources',
    path: '/setup/sources',
    async state({ var: { queryOnce, viewer } }) {
      const [source] = await queryOnce(listSources);
      if (!source) return { tone: undefined, about: 'None: your pages alone report' };
      const { name } = providers[source.kind];
      if (!source.lastEventAt) return { tone: 'warn', about: `${name}, no event yet` };
      const since = formatSpan(viewer.now.getTime() - source.lastEventAt.getTime());
      return { tone: 'good', about: `${name}, ${since} ago` };
    },
  },
  routes: (app, deps) => app.route('/setup/sources', sourceRoutes(deps)),
};
