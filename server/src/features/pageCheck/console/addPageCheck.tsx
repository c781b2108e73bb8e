import type { ConsoleHost } from '../../../console/consoleHost.js';
import { setFlash } from '../../../console/parts/layout.js';
import { renderInstall } from '../../../console/setup/installRoutes.js';
import { findLastOrderOf } from '../../../core/orders/store/sql/placedOrder.js';
import { listDomains } from '../../../core/teams/sql/domain.js';
import { encodeId } from '../../../values/ids.js';
import type { PageFixes } from '../pageFixes.js';
import { createCheckAddress, fixOfReach } from './checkAddress.js';
import { PageCheck } from './pageCheck.js';

/** Remedies for a merchant. The page links to the pages that they name. */
const merchantFixes: PageFixes = {
  tag: (teamId) => `The tag of your team, ${teamId}, is above.`,
  allow: (_team, host) => `Allow ${host} under Domains.`,
  team: 'Copy your team’s tag from above.',
  check: (url) => `check ${url}`,
  pinned: 'The line of this version is above.',
  unreachable: fixOfReach,
  otherServer: 'Copy your team’s tag from above.',
  server: 'Ask whoever runs your server.',
};

/** Adds the check of a page to the setup page of the tag. */
export function addPageCheck(console: ConsoleHost): void {
  console.draw('beforeTrying', () => <PageCheck checked={null} />);
  console.bookmark('/check');
  console.pages((app, deps) => {
    const checkAddress = createCheckAddress(deps.publicUrl, { isOwnMachine: deps.isOwnMachine });
    app.get('/check', (c) => c.redirect(c.var.link('/setup/install#check'), 303));
    // Handles a reload by the address. The result of a check is not stored.
    app.get('/setup/install/check', (c) => {
      setFlash(c, { words: 'A check is not kept. Check the page again.', tone: 'warn' });
      return c.redirect(c.var.link('/setup/install#check'), 303);
    });
    // Checks the page at an address like the doctor. Throws `unavailable` if too many pages are being checked.
    app.post('/setup/install/check', async (c) => {
      const { form, query, session } = c.var;
      const teamId = encodeId('team', session.teamId);
      const address = (form.address ?? '').trim();
      const result = await checkAddress(address, {
        fixes: merchantFixes,
        publicUrl: deps.publicUrl(),
        teamId,
        // Reveals nothing of other teams, not even that they exist.
        domainsOf: async (id) => (id === teamId ? query(listDomains) : undefined),
        lastOrderOf: async (id, host) => (id === teamId ? query(findLastOrderOf, host) : null),
      });
      return renderInstall(c, deps, {
        panel: <PageCheck checked={{ address, result }} />,
        isRefused: 'hint' in result,
      });
    });
  });
}
