import { useConsole } from '../context.js';
import { Choice, plainText } from '../parts/elements.js';
import { counted, formatNumber, formatSums, formatTime } from '../parts/format.js';
import { Empty, Notice, PageHead, Pager, Panel } from '../parts/panel.js';
import { rangeParameters, rangeTitles } from '../parts/range.js';
import type { OrderSums } from '../sql/sumOrders.js';
import { lookAtMost, type OrdersData } from './loadOrders.js';
import { describeOrigin, writeOrigin } from './orderOrigin.js';
import { type OrderQuery, orderParameters } from './orderQuery.js';
import { OrderTable } from './orderRows.js';

/** The content of the list of orders. */
export function Orders({
  query,
  asked,
  orders,
  sums,
  isLive,
  last,
  lookedAt,
  besideTitle,
  noOrderYet,
}: OrdersData) {
  const { link, viewer } = useConsole();
  const to = (before: OrderQuery['before']) => link('/orders', orderParameters(query, { before }));
  return (
    <>
      <PageHead title="Orders" about={<span data-fresh="sums">{sums && <Sums sums={sums} />}</span>}>
        {besideTitle}
        <a href={link('/orders.csv', orderParameters(query, { before: null }))}>Download CSV</a>
        <a href={link('/refunds.csv', rangeParameters(query.range))}>Refunds as CSV</a>
      </PageHead>
      {query.note && (
        <Notice tone="bad" role="alert">
          {query.note}
        </Notice>
      )}
      <Panel label="Orders, newest first">
        <Filters query={query} asked={asked} />
        <div data-fresh="orders">
          {orders.length > 0 ? (
            <OrderTable orders={orders} from={orderParameters(query)} />
          ) : (
            <Empty>
              {noneWords(query, lookedAt !== undefined)} {noOrderYet}
            </Empty>
          )}
          <Pager
            newest={query.before !== null && to(null)}
            older={last ? to(last) : false}
            about={
              lookedAt
                ? lookedAtWords(
                    query,
                    formatTime(lookedAt.createdAt, viewer),
                    formatNumber(lookAtMost, viewer),
                  )
                : isLive && (
                    <span id="live" role="status">
                      Reload this page to see new orders.
                    </span>
                  )
            }
          />
        </div>
      </Panel>
    </>
  );
}

function Sums({ sums: { orders, isMore, sums, otherCurrencies } }: { sums: OrderSums }) {
  const { viewer } = useConsole();
  if (isMore) return <>More than {counted(orders, 'order', viewer)}</>;
  return <>{[counted(orders, 'order', viewer), ...formatSums(sums, otherCurrencies, viewer)].join(', ')}</>;
}

/** The form above the list: search, range, reporter, refunds and ids. */
function Filters({ query, asked }: { query: OrderQuery; asked: Record<string, string> }) {
  const { link, isTest } = useConsole();
  const isRefused = query.note !== null && query.range === null;
  const { from, to } = isRefused ? asked : rangeParameters(query.range);
  return (
    <header>
      <form method="get" action={link('/orders').split('?')[0]} class="line filters" autocomplete="off">
        <input type="hidden" name="mode" value={isTest ? 'test' : 'live'} />
        <label class="grow">
          <span class="hidden">Order id, order number, email or name</span>
          <input
            type="search"
            name="q"
            value={query.q}
            placeholder="Order id, email or name"
            {...plainText}
          />
        </label>
        {query.origin && (
          <Choice
            name="came"
            label="Where orders came from"
            isBare
            chosen={writeOrigin(query.origin)}
            choices={[
              ['', 'From anywhere'],
              [writeOrigin(query.origin), describeOrigin(query.origin)],
            ]}
          />
        )}
        <Choice
          name="range"
          label="Range"
          isBare
          chosen={isRefused ? 'custom' : (query.range?.name ?? '')}
          choices={[['', 'Any time'], ...Object.entries(rangeTitles)]}
        />
        <label class="day">
          <span class="hidden">From</span>
          <input type="date" name="from" value={from} />
        </label>
        <label class="day">
          <span class="hidden">To</span>
          <input type="date" name="to" value={to} />
        </label>
        <Choice
          name="by"
          label="Reported by"
          isBare
          chosen={query.by}
          choices={[
            ['anyone', 'Reported by anyone'],
            ['both', 'Confirmed'],
            ['key', 'Not by a page'],
            ['browser', 'Browser only'],
          ]}
        />
        <Choice
          name="paid"
          label="Refunds"
          isBare
          chosen={query.isRefunded ? 'refunded' : ''}
          choices={[
            ['', 'Refunded or not'],
            ['refunded', 'Refunded'],
          ]}
        />
        <Choice
          name="id"
          label="What is missing"
          isBare
          chosen={query.isWithoutId ? 'none' : query.isWithoutCurrency ? 'no-currency' : ''}
          choices={[
            ['', 'Complete or not'],
            ['none', 'Without an id'],
            ['no-currency', 'Without a currency'],
          ]}
        />
        <button type="submit" class="outline secondary">
          Show
        </button>
      </form>
    </header>
  );
}

function noneWords({ q, before, range }: OrderQuery, isPartial: boolean): string {
  if (q !== '' && !isPartial)
    return `No ${before ? 'older ' : ''}order${range ? ' of this time' : ''} has this in its order id, order number, email or name.`;
  if (isPartial) return 'None of these orders match.';
  if (before) return 'No older orders match.';
  return range ? 'No orders in this time.' : 'No orders yet.';
}

/** Describes how far back a page that is not full has searched, and how to find older orders. */
function lookedAtWords({ q, range }: OrderQuery, backTo: string, number: string): string {
  const looked = `Looked through ${number} orders${range ? ' of this range' : ''}, back to ${backTo}`;
  const otherRange = `${range ? 'another' : 'a'} range`;
  if (q === '') return `${looked}: choose ${otherRange} for older ones.`;
  return `${looked}: older ones are found by their whole id, number or email, or in ${otherRange}.`;
}
