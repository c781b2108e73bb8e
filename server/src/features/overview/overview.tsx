import { command } from '../../commands/check.js';
import { useConsole } from '../../console/context.js';
import { OrderTable } from '../../console/orders/orderRows.js';
import { Menu } from '../../console/parts/form.js';
import { formatDays } from '../../console/parts/format.js';
import { Empty, Notice, PageHead, Panel, Seg } from '../../console/parts/panel.js';
import { makeRange, rangeParameters, rangeTitles } from '../../console/parts/range.js';
import { encodeId } from '../../values/ids.js';
import { Figures } from './figures.js';
import type { OverviewData } from './loadOverview.js';
import { Origins } from './origins.js';
import { type OverviewQuery, overviewParameters } from './overviewQuery.js';
import { Trouble } from './trouble.js';
import { Welcome } from './welcome.js';

/** The content of the overview. The script replaces the parts with `data-fresh` when something arrives. */
export function Overview(data: OverviewData) {
  const { session } = useConsole();
  const { query, done, figures } = data;
  const { range, note } = query;
  if (done && !done.hasOrder)
    return (
      <div class="stack" data-fresh="welcome">
        <Trouble needs={data.needs} />
        <Welcome done={done} publicUrl={data.publicUrl} />
      </div>
    );
  const isEmpty = figures.orders === 0 && data.refunds.length === 0;
  return (
    <>
      <PageHead
        title="Overview"
        about={`${formatDays(range.first, range.last)}, against ${formatDays(range.daysBefore.first, range.daysBefore.last)}`}
      >
        <Ranges query={query} money={figures.money} />
      </PageHead>
      {note && (
        <Notice tone="bad" role="alert">
          {note}
        </Notice>
      )}
      <div class="stack" data-fresh="trouble">
        <Trouble needs={data.needs} />
        {session.isDemo && (
          <Notice>
            These are sample orders. To remove them:{' '}
            <code>
              {command} team remove --team {encodeId('team', session.teamId)}
            </code>
          </Notice>
        )}
      </div>
      <div class="stack" data-fresh="figures">
        {isEmpty ? <NoOrders query={query} /> : <Figures {...data} />}
      </div>
      <div class="split">
        <Newest {...data} />
        <div data-fresh="origins">{!isEmpty && <Origins {...data} />}</div>
      </div>
    </>
  );
}

const namedRanges = ['today', '7d', '30d'] as const;
const otherRanges = ['month', 'last-month', '12m'] as const;

function Ranges({ query, money }: { query: OverviewQuery; money: OverviewData['figures']['money'] }) {
  const { link, viewer, isTest } = useConsole();
  const { range } = query;
  const to = (name: (typeof namedRanges | typeof otherRanges)[number]) =>
    link('', overviewParameters(query, { range: makeRange(name, viewer) }));
  const chosen = rangeParameters(range);
  const kept = overviewParameters(query);
  return (
    <>
      <Seg
        label="Range"
        choices={namedRanges.map((name) => ({
          href: to(name),
          words: rangeTitles[name],
          isChosen: name === range.name,
        }))}
      />
      <Menu
        title={namedRanges.some((name) => name === range.name) ? 'More' : rangeTitles[range.name]}
        isAtEnd
      >
        {otherRanges.map((name) => (
          <li>
            <a href={to(name)} aria-current={name === range.name ? 'true' : undefined}>
              {rangeTitles[name]}
            </a>
          </li>
        ))}
        <li>
          <form class="stack" method="get" autocomplete="off">
            {Object.entries({ ...kept, mode: isTest ? 'test' : 'live', range: 'custom' }).map(
              ([name, value]) =>
                value !== undefined &&
                name !== 'from' &&
                name !== 'to' && <input type="hidden" name={name} value={value} />,
            )}
            <label>
              From <input type="date" name="from" value={chosen.from} />
            </label>
            <label>
              To <input type="date" name="to" value={chosen.to} />
            </label>
            <button type="submit">Show</button>
          </form>
        </li>
        {money.length > 1 &&
          money.map(({ currency }) => (
            <li>
              <a href={link('', overviewParameters(query, { currency }))}>Money in {currency}</a>
            </li>
          ))}
      </Menu>
    </>
  );
}

function NoOrders({ query: { range } }: { query: OverviewQuery }) {
  const { isTest, link } = useConsole();
  const other = isTest ? 'live' : 'test';
  const time = range.name === 'custom' ? formatDays(range.first, range.last) : rangeTitles[range.name];
  return (
    <Panel label="Figures">
      <Empty>
        No {isTest ? 'test' : 'live'} orders: {time}. Choose a longer range, or look at the{' '}
        <a href={link('', { ...rangeParameters(range), mode: other })}>{other} orders</a>.
      </Empty>
    </Panel>
  );
}

function Newest({ newest }: OverviewData) {
  const { link, isTest } = useConsole();
  return (
    <Panel
      id="newest"
      title="Newest orders"
      beside={
        <>
          <small id="live" class="wide" role="status">
            Reload this page to see new orders.
          </small>
          <a class="push" href={link('/orders')}>
            All orders
          </a>
        </>
      }
    >
      <div data-fresh="newest">
        {newest.length > 0 ? (
          <OrderTable orders={newest} isShort />
        ) : (
          <Empty>No {isTest ? 'test' : 'live'} orders among the newest ones.</Empty>
        )}
      </div>
    </Panel>
  );
}
