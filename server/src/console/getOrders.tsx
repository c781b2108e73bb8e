import type { Handler } from 'hono';
import { listRefused } from '../refused/sql/listRefused.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from './context.js';
import { Choice, Scroll } from './elements.js';
import { formatNumber, formatTime } from './format.js';
import { renderPage } from './layout.js';
import { type OrderQuery, orderParameters, readOrderQuery, toSelection } from './orderQuery.js';
import { OrderTable } from './orderRows.js';
import { RefusedNow, refusedNowAtMost } from './refusedTable.js';
import { findLookedAt, pageOrders, type ShownOrderRow } from './sql/shownOrders.js';

const ordersOnPage = 50;

/** Number of orders that a page with a rare filter reads before it offers to look further back. */
export const lookAtMost = 20_000;

/** `GET /console/orders`: the newest orders as they arrive, older ones by page, filtered or searched for. */
export function getOrders({ ask, secret, clock }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrders(c) {
    const { base, session } = c.var;
    const query = readOrderQuery(c.req.query());
    const now = new Date(clock.nowMs());
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
    return renderPage(
      c,
      <>
        <h1>Orders</h1>
        <Filters query={query} />
        {isLive && (
          <p id="live" role="status" data-since={now.getTime()}>
            Reload this page to see new orders.
          </p>
        )}
        {isLive && <RefusedNow entries={refused} now={now} heading="h2" />}
        <p id="none" class="notice" hidden={orders.length > 0}>
          {noneWords(query, lookedAt !== undefined)} <a href={`${base}/console/setup`}>Set up your pages</a>.
        </p>
        <h2 id="list" class="hidden">
          The orders, newest first
        </h2>
        <Scroll labelledBy="list">
          <OrderTable orders={orders} live={isLive ? live : undefined} />
        </Scroll>
        <p>
          <a href={`${base}/console/orders.csv${orderParameters(query)}`}>Download these as CSV</a>
        </p>
        <Further query={query} last={isMore ? orders.at(-1) : undefined} lookedAt={lookedAt} />
      </>,
      { title: 'Orders', here: 'Orders', scripts: isLive ? ['live.js'] : [] },
    );
  };
}

function noneWords({ q, before }: OrderQuery, isPartial: boolean): string {
  if (q !== '') return 'No order has exactly this order id, order number or email.';
  if (isPartial) return 'None of these orders match.';
  return before ? 'No older orders match.' : 'No orders yet.';
}

function Filters({ query }: { query: OrderQuery }) {
  const { base } = useConsole();
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
  query: OrderQuery;
  /** The last order of a full page. */
  last: ShownOrderRow | undefined;
  /** The last order that was read for a page that is not full. */
  lookedAt: { createdAt: Date; id: string } | undefined;
}

function Further({ query, last, lookedAt }: FurtherProps) {
  const { base, viewer } = useConsole();
  const to = (before: OrderQuery['before']) => `${base}/console/orders${orderParameters(query, { before })}`;
  return (
    <nav aria-label="Pages" class="pages">
      {query.before && <a href={to(null)}>Newest</a>}
      {last && <a href={to(last)}>Older</a>}
      {lookedAt && (
        <>
          <span>
            Looked at {formatNumber(lookAtMost, viewer)} orders, back to{' '}
            {formatTime(lookedAt.createdAt, viewer)}.
          </span>
          <a href={to(lookedAt)}>Look further back</a>
        </>
      )}
    </nav>
  );
}
