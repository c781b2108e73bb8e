import type { Handler } from 'hono';
import { listRefused } from '../refused/sql/listRefused.js';
import { Choice } from './choice.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { formatNumber, formatTime } from './format.js';
import { Page } from './layout.js';
import { type OrderQuery, orderParameters, readOrderQuery, toSelection } from './orderQuery.js';
import { OrderTable } from './orderRows.js';
import type { Reader } from './reader.js';
import { RefusedNow, refusedNowAtMost } from './refusedNow.js';
import { replyPage } from './replyPage.js';
import { Scroll } from './scroll.js';
import { findLookedAt, pageOrders, type ShownOrderRow } from './sql/shownOrders.js';

const ordersOnPage = 50;

/** How many orders a page with a rare filter looks at before it offers to look further back. */
export const lookAtMost = 20_000;

/** `GET /console/orders`: the newest orders as they arrive, older ones by page, filtered or searched for. */
export function getOrders({ ask, secret, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrders(c) {
    const session = c.get('session');
    const reader = c.get('reader');
    const query = readOrderQuery(c.req.query());
    const base = basePath(publicUrl());
    const now = new Date();
    const { before } = query;
    const found = await ask((sql) =>
      pageOrders(sql, session.teamId, toSelection(query, secret, session.teamId), {
        before,
        limit: ordersOnPage + 1,
        lookAtMost,
      }),
    );
    const orders = found.slice(0, ordersOnPage);
    const isMore = found.length > ordersOnPage;
    const isFiltered = query.mode !== 'all' || query.by !== 'anyone';
    const lookedAt =
      !isMore && isFiltered && query.q === ''
        ? await ask((sql) => findLookedAt(sql, session.teamId, { before, lookAtMost }))
        : undefined;
    const isLive = before === null && query.q === '';
    const refused = isLive
      ? await ask((sql) => listRefused(sql, session.teamId, { limit: refusedNowAtMost }))
      : [];
    const live = `${base}/console/live${orderParameters(query)}`;
    return replyPage(
      c,
      200,
      <Page
        title="Orders"
        here="Orders"
        base={base}
        session={session}
        zone={reader.zone}
        scripts={isLive ? ['live.js'] : []}
      >
        <h1>Orders</h1>
        <Filters base={base} query={query} />
        {isLive && (
          <p id="live" role="status" data-since={now.getTime()}>
            Reload this page to see new orders.
          </p>
        )}
        {isLive && <RefusedNow entries={refused} base={base} reader={reader} now={now} heading="h2" />}
        <p id="none" class="notice" hidden={orders.length > 0}>
          {noneWords(query, lookedAt !== undefined)} <a href={`${base}/console/setup`}>Set up your pages</a>.
        </p>
        <h2 id="list" class="hidden">
          The orders, newest first
        </h2>
        <Scroll labelledBy="list">
          <OrderTable orders={orders} base={base} reader={reader} live={isLive ? live : undefined} />
        </Scroll>
        <p>
          <a href={`${base}/console/orders.csv${orderParameters(query)}`}>Download these as CSV</a>
        </p>
        <Further
          base={base}
          reader={reader}
          query={query}
          last={isMore ? orders.at(-1) : undefined}
          lookedAt={lookedAt}
        />
      </Page>,
    );
  };
}

function noneWords({ q, before }: OrderQuery, isPartial: boolean): string {
  if (q !== '') return 'No order has exactly this order id, order number or email.';
  if (isPartial) return 'None of these orders match.';
  return before ? 'No older orders match.' : 'No orders yet.';
}

function Filters({ base, query }: { base: string; query: OrderQuery }) {
  return (
    <form method="get" action={`${base}/console/orders`} class="filters">
      <label class="wide">
        Order id, order number or email
        <input type="search" name="q" value={query.q} autocomplete="off" spellcheck={false} />
      </label>
      <Choice
        name="mode"
        label="Orders"
        chosen={query.mode}
        choices={[
          ['all', 'Live and test'],
          ['live', 'Live'],
          ['test', 'Test'],
        ]}
      />
      <Choice
        name="by"
        label="Reported by"
        chosen={query.by}
        choices={[
          ['anyone', 'Anyone'],
          ['browser', 'A page alone'],
          ['key', 'A key alone'],
          ['both', 'Page and key'],
        ]}
      />
      <button type="submit">Show</button>
    </form>
  );
}

interface FurtherProps {
  base: string;
  reader: Reader;
  query: OrderQuery;
  /** The last order of a full page. */
  last: ShownOrderRow | undefined;
  /** Where looking has stopped on a page that is not full. */
  lookedAt: { createdAt: Date; id: string } | undefined;
}

function Further({ base, reader, query, last, lookedAt }: FurtherProps) {
  const to = (before: OrderQuery['before']) => `${base}/console/orders${orderParameters(query, { before })}`;
  return (
    <nav aria-label="Pages" class="pages">
      {query.before && <a href={to(null)}>Newest</a>}
      {last && <a href={to(last)}>Older</a>}
      {lookedAt && (
        <>
          <span>
            Looked at {formatNumber(lookAtMost, reader)} orders, back to{' '}
            {formatTime(lookedAt.createdAt, reader)}.
          </span>
          <a href={to(lookedAt)}>Look further back</a>
        </>
      )}
    </nav>
  );
}
