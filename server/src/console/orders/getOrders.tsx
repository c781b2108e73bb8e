import type { Handler } from 'hono';
import { listRefused } from '../../refused/sql/listRefused.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { describeRange, RangeNote } from '../overview/rangeFields.js';
import { Scroll } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import { formatTime } from '../parts/formatTime.js';
import { renderPage } from '../parts/layout.js';
import type { Viewer } from '../parts/viewer.js';
import { RefusedNow, refusedNowAtMost } from '../refused/refusedTable.js';
import { SetupSteps } from '../setup/setupSteps.js';
import { readDoneSteps } from '../sql/doneSteps.js';
import { findLookedAt, findWholeMatches, pageOrders, type ShownOrderRow } from '../sql/shownOrders.js';
import { OrderFilters } from './orderFilters.js';
import { type OrderQuery, orderParameters, readOrderQuery, toSelection } from './orderQuery.js';
import { OrderTable } from './orderRows.js';

const ordersOnPage = 50;

/** Number of orders that a page with a rare filter or a search reads before it offers to look further back. */
export const lookAtMost = 20_000;

/** `GET /console/orders`: the newest orders as they arrive, older ones by page, filtered or searched for. */
export function getOrders({ ask, secret, clock }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrders(c) {
    const { home, session, viewer } = c.var;
    const now = new Date(clock.nowMs());
    const asked = c.req.query();
    const query = readOrderQuery(asked, { now, zone: viewer.zone });
    const { before, range, note } = query;
    const selection = toSelection(query, secret, session.teamId);
    const found = await ask(session.teamId, (sql) =>
      pageOrders(sql, session.teamId, selection, {
        before,
        limit: ordersOnPage + 1,
        lookAtMost,
      }),
    );
    const isMore = found.length > ordersOnPage;
    const isFiltered = query.mode !== 'all' || query.by !== 'anyone' || query.q !== '';
    const lookedAt =
      !isMore && isFiltered
        ? await ask(session.teamId, (sql) =>
            findLookedAt(sql, session.teamId, { before, lookAtMost, span: selection.span }),
          )
        : undefined;
    const older = lookedAt
      ? await ask(session.teamId, (sql) =>
          findWholeMatches(sql, session.teamId, selection, { before: lookedAt, limit: ordersOnPage }),
        )
      : [];
    const orders = [...found, ...older].slice(0, ordersOnPage);
    const isLive = before === null && query.q === '' && (range === null || range.isOpen);
    const refused = isLive
      ? await ask(session.teamId, (sql) => listRefused(sql, session.teamId, { limit: refusedNowAtMost }))
      : [];
    const done =
      orders.length === 0 ? await ask(session.teamId, (sql) => readDoneSteps(sql, session.teamId)) : null;
    const live = `${home}/live${orderParameters(query)}`;
    return renderPage(
      c,
      <>
        <h1>Orders</h1>
        <OrderFilters query={query} asked={asked} />
        <RangeNote note={note} />
        {isLive && (
          <p id="live" role="status" data-since={now.getTime()}>
            Reload this page to see new orders.
          </p>
        )}
        {isLive && <RefusedNow entries={refused} now={now} heading="h2" />}
        <div id="none" hidden={orders.length > 0}>
          <p class="notice">{noneWords(query, lookedAt !== undefined)}</p>
          {done?.hasOrder === false && (
            <div data-fresh="steps">
              <SetupSteps done={done} />
            </div>
          )}
        </div>
        <h2 id="list" class="hidden">
          The orders, newest first
        </h2>
        <Scroll labelledBy="list">
          <OrderTable
            orders={orders}
            live={isLive ? live : undefined}
            from={orderParameters(query)}
            rowsAtMost={ordersOnPage}
          />
        </Scroll>
        <p>
          <a href={`${home}/orders.csv${orderParameters(query)}`}>Download these as CSV</a>
          {range && `: orders ${describeRange(range, viewer)}`}
          {' · '}
          <a href={`${home}/compare`}>Compare with your shop’s export</a>
        </p>
        <Further
          query={query}
          last={isMore ? orders.at(-1) : undefined}
          isLive={isLive}
          lookedAt={lookedAt}
        />
      </>,
      {
        title: 'Orders',
        here: 'Orders',
        scripts: isLive ? ['live.js', ...(done?.hasOrder === false ? ['liveFigures.js'] : [])] : [],
      },
    );
  };
}

function noneWords({ q, before, range }: OrderQuery, isPartial: boolean): string {
  if (q !== '' && !isPartial)
    return `No ${before ? 'older ' : ''}order${range ? ' of this time' : ''} has this in its order id, order number, email or name.`;
  if (isPartial) return 'None of these orders match.';
  if (before) return 'No older orders match.';
  return range ? 'No orders in this time.' : 'No orders yet.';
}

/** Says how far a page has looked that is not full. */
function lookedAtWords({ q, before, range }: OrderQuery, backTo: string, viewer: Viewer): string {
  const number = formatNumber(lookAtMost, viewer);
  if (q === '') return `Looked at ${number} orders, back to ${backTo}.`;
  const which = before ? `${number} more orders` : `the newest ${number} orders`;
  const hint = range ? '' : ' Choose a range to search its orders.';
  return `Searched ${which}${range ? ' of this range' : ''}, back to ${backTo}.${hint}`;
}

interface FurtherProps {
  query: OrderQuery;
  /** The last order of a full page. */
  last: ShownOrderRow | undefined;
  /** True for a page that the script `live.js` fills, and whose last orders it moves behind the link to older ones. */
  isLive: boolean;
  /** The last order that was read for a page that is not full. */
  lookedAt: { createdAt: Date; id: string } | undefined;
}

function Further({ query, last, isLive, lookedAt }: FurtherProps) {
  const { home, viewer } = useConsole();
  const to = (before: OrderQuery['before']) => `${home}/orders${orderParameters(query, { before })}`;
  return (
    <nav aria-label="Pages" class="pages">
      {query.before && <a href={to(null)}>Newest</a>}
      {(last || isLive) && (
        <a href={to(last ?? null)} id="older" hidden={!last}>
          Older
        </a>
      )}
      {lookedAt && (
        <>
          <span>{lookedAtWords(query, formatTime(lookedAt.createdAt, viewer), viewer)}</span>
          <a href={to(lookedAt)}>{query.q === '' ? 'Look further back' : 'Search older orders'}</a>
        </>
      )}
    </nav>
  );
}
