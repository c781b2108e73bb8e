import type { Handler } from 'hono';
import type { RefusedRow } from '../../refused/refusedReport.js';
import { groupRefused, listRefused } from '../../refused/sql/listRefused.js';
import { findEntries } from '../../teams/sql/domain.js';
import { findTeam } from '../../teams/sql/team.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { Scroll } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import { renderPage } from '../parts/layout.js';
import { FlashNotice } from './flash.js';

import { RefusedGroup } from './refusedGroups.js';
import { type RefusedQuery, readRefusedQuery, refusedParameters } from './refusedQuery.js';
import { RefusedTable } from './refusedTable.js';

const reportsOnPage = 50;

/** `GET /console/refused`: the refused reports that need attention, in groups; or those of one group, by page. */
export function getRefused({ ask, clock }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getRefused(c) {
    const { teamId } = c.var.session;
    const { kind, before, flash } = readRefusedQuery(c.req.query());
    const now = new Date(clock.nowMs());
    const [groups, entries, team, found] = await Promise.all([
      ask(teamId, (sql) => groupRefused(sql, teamId, kind ?? {})),
      ask(teamId, (sql) => findEntries(sql, teamId)),
      ask(teamId, (sql) => findTeam(sql, teamId)),
      kind
        ? ask(teamId, (sql) => listRefused(sql, teamId, { ...kind, before, limit: reportsOnPage + 1 }))
        : [],
    ]);
    const hidden = (groups[0]?.groups ?? 0) - groups.length;
    return renderPage(
      c,
      <>
        <h1>Refused reports</h1>
        {flash && <FlashNotice {...flash} />}
        {kind && (
          <p>
            <a href={`${c.var.home}/refused`}>All refused reports</a>
          </p>
        )}
        {groups.length === 0 && <Empty isOfGroup={kind !== null} />}
        {groups.map((group) => (
          <RefusedGroup
            group={group}
            now={now}
            domains={entries}
            requiresSignature={team?.requiresSignature ?? false}
            isLinked={kind === null}
          />
        ))}
        {hidden > 0 && (
          <p class="notice">
            {formatNumber(hidden, c.var.viewer)} more {hidden === 1 ? 'group is' : 'groups are'} not shown.
            Fix or discard some of these.
          </p>
        )}
        {found.length > 0 && <Reports found={found} kind={kind} before={before} />}
        <p>
          <small>
            Refused reports are kept for 30 days, as they were sent. Orders that a page has since sent again
            are not shown.
          </small>
        </p>
      </>,
      { title: 'Refused', here: 'Refused' },
    );
  };
}

function Empty({ isOfGroup }: { isOfGroup: boolean }) {
  const { home } = useConsole();
  return (
    <p class="notice">
      {isOfGroup ? 'No report of this group needs attention any more.' : 'No refused reports need attention.'}{' '}
      Reports that the server refuses, and that you can fix, appear here.{' '}
      <a href={`${home}/setup`}>Try your pages</a>.
    </p>
  );
}

interface ReportsProps extends Pick<RefusedQuery, 'kind' | 'before'> {
  found: readonly RefusedRow[];
}

function Reports({ found, kind, before }: ReportsProps) {
  const { home } = useConsole();
  const entries = found.slice(0, reportsOnPage);
  const to = (place?: RefusedQuery['before']) => `${home}/refused${refusedParameters(kind, place)}`;
  return (
    <section>
      <h2 id="reports">Each one, newest first</h2>
      <Scroll labelledBy="reports">
        <RefusedTable entries={entries} />
      </Scroll>
      <nav aria-label="Pages" class="pages">
        {before && <a href={to()}>Newest</a>}
        {found.length > reportsOnPage && <a href={to(entries.at(-1))}>Older</a>}
      </nav>
    </section>
  );
}
