import type { Handler } from 'hono';
import { closestDomain, displayDomain, parseDomainEntry } from '../../teams/domains.js';
import { addDomain, findEntries, listDomains, removeDomain } from '../../teams/sql/domain.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { dayOf, startOfDay } from '../overview/calendar.js';
import { Form } from '../parts/form.js';
import { formatNumber, formatSums } from '../parts/formatNumber.js';
import { renderPage } from '../parts/layout.js';
import { type HostsSumRow, listHostsSince, sumOrdersOfHosts } from '../sql/ordersOfHosts.js';
import { readRemoved, removedParameters, tellStillCounted } from './removedDomain.js';

const domainCharacters = 255;

/**
 * `POST /console/domains/remove`: removes an allowed domain, and asks before where its pages have reported orders today. The
 * next page offers to undo it. Another browser may have removed the domain already.
 */
export function postDomainRemoval({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  /** Adds up the orders that pages of a domain have reported. A host counts for its closest domain alone. */
  async function sumOrdersOf(
    entry: string,
    { teamId, since, domains }: { teamId: Uuid; since: Date; domains: ReadonlySet<string> },
  ) {
    const found = await ask(teamId, (sql) => listHostsSince(sql, teamId, since));
    const hosts = found.map(({ host }) => host).filter((host) => closestDomain(host, domains) === entry);
    return hosts.length === 0 ? [] : ask(teamId, (sql) => sumOrdersOfHosts(sql, teamId, { since, hosts }));
  }

  return async function postDomainRemoval(c) {
    const { base, form, session, viewer } = c.var;
    const { teamId } = session;
    const parsed = parseDomainEntry((form.domain ?? '').slice(0, domainCharacters));
    const entry = 'entry' in parsed ? parsed.entry : '';
    if (form.sure !== 'yes') {
      const since = startOfDay(dayOf(viewer.now, viewer.zone), viewer.zone);
      const domains = await ask(teamId, (sql) => listDomains(sql, teamId));
      const entries = new Set(domains.map(({ domain }) => domain));
      const sums = await sumOrdersOf(entry, { teamId, since, domains: entries });
      const title = `Remove ${displayDomain(entry)}?`;
      if (sums.length > 0)
        return renderPage(
          c,
          <AskRemoval {...{ entry, title, sums }} counted={tellStillCounted(entry, domains)} />,
          {
            title,
            here: 'Setup',
          },
        );
    }
    const removed = await ask(teamId, (sql) => removeDomain(sql, teamId, entry));
    if (!removed) return c.redirect(`${base}/console/setup#domains`, 303);
    const { isTest } = removed;
    return c.redirect(`${base}/console/setup${removedParameters(session, { entry, isTest })}`, 303);
  };
}

/** `POST /console/domains/restore`: allows a domain again, as it was, that this session has removed. */
export function postDomainRestore({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postDomainRestore(c) {
    const { base, form, session } = c.var;
    const removed = readRemoved(form, session);
    if (!removed) throw new ApiError('invalid_request', { message: 'The form names no removed domain.' });
    const domains = await ask(session.teamId, (sql) => findEntries(sql, session.teamId));
    // Somebody may have allowed it meanwhile, in the other mode.
    if (!domains.has(removed.entry)) {
      await ask(session.teamId, (sql) => addDomain(sql, session.teamId, removed));
    }
    return c.redirect(`${base}/console/setup#domains`, 303);
  };
}

interface AskRemovalProps {
  entry: string;
  title: string;
  /** The orders of today, of which there are some. */
  sums: readonly HostsSumRow[];
  /** See `tellStillCounted`. */
  counted: string | null;
}

function AskRemoval({ entry, title, sums, counted }: AskRemovalProps) {
  const { base, viewer } = useConsole();
  const { orders, currencies } = sums[0]!;
  const money = formatSums(sums, currencies - sums.length, viewer);
  const words = [`${formatNumber(orders, viewer)} ${orders === 1 ? 'order' : 'orders'}`, ...money].join(', ');
  return (
    <>
      <h1 class="long">{title}</h1>
      <p>
        Its pages have reported <strong>{words}</strong> today. Without the domain, further orders of its
        pages{' '}
        {counted ??
          'are refused, and do not count until somebody allows the domain again and stores them, within 30 days'}
        .
      </p>
      <div class="buttons">
        <Form action="/console/domains/remove" class="inline">
          <input type="hidden" name="domain" value={entry} />
          <input type="hidden" name="sure" value="yes" />
          <button type="submit" class="long">
            Remove {displayDomain(entry)}
          </button>
        </Form>
        <a href={`${base}/console/setup#domains`}>Keep it</a>
      </div>
    </>
  );
}
