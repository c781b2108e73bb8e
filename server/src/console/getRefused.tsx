import type { Handler } from 'hono';
import type { RefusedRow } from '../refused/refusedReport.js';
import { groupRefused, listRefused } from '../refused/sql/listRefused.js';
import { listDomains } from '../teams/sql/domain.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { Page } from './layout.js';
import type { Reader } from './reader.js';
import { RefusedGroup } from './refusedGroups.js';
import { News } from './refusedNews.js';
import { type RefusedQuery, readRefusedQuery, refusedParameters } from './refusedQuery.js';
import { RefusedTable } from './refusedRows.js';
import { replyPage } from './replyPage.js';
import { Scroll } from './scroll.js';

const reportsOnPage = 50;
/** Anybody can name as many hosts as they like; the groups with the latest refusals are the ones to mend. */
const groupsOnPage = 100;

/** `GET /console/refused`: the reports that wait to be mended, in groups; or those of one group, by page. */
export function getRefused({ ask, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getRefused(c) {
    const session = c.get('session');
    const reader = c.get('reader');
    const { teamId } = session;
    const { kind, before, news } = readRefusedQuery(c.req.query());
    const now = new Date();
    const [all, domains, found] = await Promise.all([
      ask((sql) => groupRefused(sql, teamId)),
      ask((sql) => listDomains(sql, teamId)),
      kind ? ask((sql) => listRefused(sql, teamId, { ...kind, before, limit: reportsOnPage + 1 })) : [],
    ]);
    const groups = kind
      ? all.filter(
          ({ reason, host, field }) => reason === kind.reason && host === kind.host && field === kind.field,
        )
      : all;
    const base = basePath(publicUrl());
    const entries = new Set(domains.map(({ domain }) => domain));
    return replyPage(
      c,
      200,
      <Page title="Refused" here="Refused" base={base} session={session} zone={reader.zone}>
        <h1>Refused reports</h1>
        {news && <News news={news} reader={reader} />}
        {kind && (
          <p>
            <a href={`${base}/console/refused`}>All refused reports</a>
          </p>
        )}
        {groups.length === 0 && <Empty base={base} isOfGroup={kind !== null} />}
        {groups.slice(0, groupsOnPage).map((group) => (
          <RefusedGroup
            group={group}
            base={base}
            reader={reader}
            session={session}
            now={now}
            domains={entries}
            isLinked={kind === null}
          />
        ))}
        {groups.length > groupsOnPage && (
          <p class="notice">
            {groups.length - groupsOnPage} more groups are not shown. Mend or discard some of these.
          </p>
        )}
        {found.length > 0 && (
          <Reports found={found} kind={kind} before={before} base={base} reader={reader} />
        )}
        <p>
          <small>
            Refused reports are kept for 30 days, as they were sent. Orders that a page has since sent again
            are not shown.
          </small>
        </p>
      </Page>,
    );
  };
}

function Empty({ base, isOfGroup }: { base: string; isOfGroup: boolean }) {
  return (
    <p class="notice">
      {isOfGroup ? 'No report of this group waits any more.' : 'No report waits to be mended.'} What the
      server refuses, and you can mend, appears here. <a href={`${base}/console/setup`}>Try your pages</a>.
    </p>
  );
}

interface ReportsProps extends Pick<RefusedQuery, 'kind' | 'before'> {
  found: readonly RefusedRow[];
  base: string;
  reader: Reader;
}

function Reports({ found, kind, before, base, reader }: ReportsProps) {
  const entries = found.slice(0, reportsOnPage);
  const to = (place?: RefusedQuery['before']) => `${base}/console/refused${refusedParameters(kind, place)}`;
  return (
    <section>
      <h2 id="reports">Each one, newest first</h2>
      <Scroll labelledBy="reports">
        <RefusedTable entries={entries} base={base} reader={reader} />
      </Scroll>
      <nav aria-label="Pages" class="pages">
        {before && <a href={to()}>Newest</a>}
        {found.length > reportsOnPage && <a href={to(entries.at(-1))}>Older</a>}
      </nav>
    </section>
  );
}
