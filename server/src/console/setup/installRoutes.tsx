import { Hono } from 'hono';
import { findLastOrderOf } from '../../core/orders/sql/placedOrder.js';
import { scriptHtml } from '../../core/script/tag.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import { fixOfReach } from '../../features/pageCheck/console/checkAddress.js';
import type { CheckedPage } from '../../features/pageCheck/console/pageCheck.js';
import type { PageFixes } from '../../features/pageCheck/pageFixes.js';
import { encodeId } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { pageOrders } from '../sql/shownOrders.js';
import { Install, readPlatform } from './install.js';
import { loadSetup, renderSetup } from './setupPage.js';

/** Orders below the check, where somebody tries their page. */
const ordersToTry = 5;

/** Remedies in a merchant's words. The page links to the places that they name. */
const merchantFixes: PageFixes = {
  tag: () => 'The tag of your team is above.',
  allow: (_team, host) => `Allow ${host} under Domains.`,
  team: 'Copy your team’s tag from above.',
  check: (url) => `check ${url}`,
  pinned: 'The line of this version is above.',
  unreachable: fixOfReach,
  otherServer: 'Copy your team’s tag from above.',
  server: 'Ask whoever runs your server.',
};

/** `GET …/setup/install`: the tag for each platform, the check of a page, and the orders that arrive now. */
export function installRoutes({ checkAddress, publicUrl, sdk }: ConsoleDeps): Hono<ConsoleEnv> {
  async function render(c: ConsoleContext, checked: CheckedPage | null) {
    const { query, session } = c.var;
    const [setup, orders] = await Promise.all([
      loadSetup(c),
      query(pageOrders, {}, { before: null, limit: ordersToTry, lookAtMost: ordersToTry }),
    ]);
    const tag = { publicUrl: publicUrl(), teamId: encodeId('team', session.teamId) };
    return renderSetup(c, setup, {
      part: 'Install',
      isRefused: checked !== null && 'hint' in checked.result,
      content: (
        <Install
          {...tag}
          platform={readPlatform(c.req.query('platform'))}
          pinned={sdk.pin && scriptHtml({ ...tag, pinnedTo: sdk.pin })}
          checked={checked}
          orders={orders}
          domains={setup.domains}
        />
      ),
    });
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/', (c) => render(c, null))
      // Checks the page at an address as the doctor does. Throws `unavailable` when too many pages are being checked.
      .post('/check', async (c) => {
        const { form, query, session } = c.var;
        const teamId = encodeId('team', session.teamId);
        const address = (form.address ?? '').trim();
        const result = await checkAddress(address, {
          fixes: merchantFixes,
          publicUrl: publicUrl(),
          teamId,
          // Of other teams nothing is told, not even that they exist.
          domainsOf: async (id) => (id === teamId ? query(listDomains) : undefined),
          lastOrderOf: async (id, host) => (id === teamId ? query(findLastOrderOf, host) : null),
        });
        return render(c, { address, result });
      })
  );
}
