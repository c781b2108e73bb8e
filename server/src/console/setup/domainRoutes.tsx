import { Hono } from 'hono';
import {
  closestDomain,
  displayDomain,
  isAllowed,
  parseDomainEntry,
  parseNewDomainEntry,
} from '../../core/teams/domains.js';
import { addDomain, findEntries, listDomains, removeDomain } from '../../core/teams/sql/domain.js';
import { isPrivateHost } from '../../values/addresses.js';
import { dayMs } from '../../values/time.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv, Query } from '../context.js';
import { setFlash } from '../parts/layout.js';
import { listOrderHosts } from '../sql/orderHosts.js';
import { type DomainRefusal, Domains, lastOrders } from './domains.js';
import { pastedCharacters, readPastedDomain } from './pastedDomain.js';
import { loadSetup, renderSetup } from './setupPage.js';

const monthMs = 30 * dayMs;

/** Routes of `…/setup/domains`: the allowed domains with their last order. */
export function domainRoutes({ parts }: ConsoleDeps): Hono<ConsoleEnv> {
  async function render(c: ConsoleContext, refusal: DomainRefusal | null) {
    const { query, viewer } = c.var;
    const since = new Date(viewer.now.getTime() - monthMs);
    const [setup, hosts, besideTitle] = await Promise.all([
      loadSetup(c, parts),
      query(listOrderHosts, since),
      parts.draw('besideDomains', c),
    ]);
    return renderSetup(c, setup, {
      title: 'Domains',
      isRefused: refusal !== null,
      content: (
        <Domains domains={lastOrders(setup.domains, hosts)} refusal={refusal} besideTitle={besideTitle} />
      ),
    });
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/', (c) => render(c, null))
      // Allows a domain. A domain of the local network becomes a test domain. Says what was done, or why the text is no domain.
      .post('/', async (c) => {
        const pasted = (c.var.form.domain ?? '').slice(0, pastedCharacters);
        const parsed = readPastedDomain(pasted);
        const wantsTest = c.var.form.test === 'yes';
        if ('hint' in parsed) return render(c, { domain: pasted, wantsTest, hint: parsed.hint });
        const words = await allowDomain(c.var.query, { entry: parsed.entry, wantsTest });
        const apex = parsed.entry.replace(/^www[.]/, '');
        const isApexRefused =
          apex !== parsed.entry &&
          !isAllowed(apex, await c.var.query(findEntries)) &&
          !('hint' in parseNewDomainEntry(apex));
        setFlash(
          c,
          isApexRefused
            ? {
                words: `${words} Orders of ${displayDomain(apex)} itself are refused: it includes www.`,
                tone: 'warn',
                action: {
                  to: '/setup/domains',
                  fields: { domain: apex, ...(wantsTest && { test: 'yes' }) },
                  words: `Allow ${displayDomain(apex)}, too`,
                },
              }
            : { words },
        );
        return c.redirect(c.var.link('/setup/domains'), 303);
      })
      // Another browser may have removed the domain already.
      .post('/remove', async (c) => {
        const parsed = parseDomainEntry((c.var.form.domain ?? '').slice(0, pastedCharacters));
        const entry = 'entry' in parsed ? parsed.entry : '';
        const removed = await c.var.query(removeDomain, entry);
        if (removed) setFlash(c, { words: `${displayDomain(entry)} is removed.` });
        return c.redirect(c.var.link('/setup/domains'), 303);
      })
  );
}

/**
 * Allows a normalised domain for a team. A domain of the local network becomes a test domain. Changes nothing if the domain
 * is allowed already in the same mode. Resolves with a sentence that says what was done.
 */
async function allowDomain(
  query: Query,
  { entry, wantsTest }: { entry: string; wantsTest: boolean },
): Promise<string> {
  const isTest = wantsTest || isPrivateHost(entry);
  const domains = new Map((await query(listDomains)).map(({ domain, isTest }) => [domain, isTest]));
  const allowing = closestDomain(entry, domains);
  const kind = isTest ? 'test orders' : 'live orders';
  const name = displayDomain(entry);
  if (allowing !== undefined && domains.get(allowing) === isTest) {
    const by = allowing === entry ? '' : `, by ${displayDomain(allowing)}`;
    return `${name} was allowed already${by}. Its orders are ${kind}.`;
  }
  await query(addDomain, { entry, isTest });
  return `${name} is allowed. Its orders are ${kind}${isPrivateHost(entry) ? ', because anyone can use such a host' : ''}.`;
}
