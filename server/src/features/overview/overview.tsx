import type { ConsoleHost } from '../../console/consoleHost.js';
import { useConsole } from '../../console/context.js';
import { OrderTable } from '../../console/orders/orderRows.js';
import { formatDays } from '../../console/parts/format.js';
import { renderPage } from '../../console/parts/layout.js';
import { Empty, Notice, PageHead, Panel } from '../../console/parts/panel.js';
import { rangeParameters, rangeTitles } from '../../console/parts/range.js';
import type { Need } from '../../console/section.js';
import { Figures } from './figures.js';
import { loadOverview, type OverviewData } from './loadOverview.js';
import { Origins } from './origins.js';
import type { OverviewQuery } from './overviewQuery.js';
import { Ranges } from './ranges.js';
import { Welcome } from './welcome.js';

/** Adds the first page of a team. */
export function addOverview(console: ConsoleHost): void {
  console.draw('noOrderYet', () => <StepsLink />);
  console.section({ at: 0, path: '', title: 'Overview', icon: 'M4 20V11M10 20V4M16 20v-6M21 20H3' });
  console.pages((app, deps) => {
    app.get('/', async (c) =>
      renderPage(c, <Overview {...(await loadOverview(c, deps))} />, {
        title: 'Overview',
        here: 'Overview',
        isLive: true,
      }),
    );
  });
}

function StepsLink() {
  return (
    <>
      <a href={useConsole().link('')}>The overview</a> has the steps to the first one.
    </>
  );
}

/** Content of the overview. The script replaces its parts with `data-fresh` when a new order or report arrives. */
function Overview(data: OverviewData) {
  const { query, done, figures } = data;
  const { range, note } = query;
  if (done && !done.hasOrder)
    return (
      <div class="stack" data-fresh="welcome">
        <Trouble needs={data.needs} />
        <Welcome {...data} done={done} />
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
        {data.notices}
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

/** Faults that need a person: the first in sentences, the others as links. */
function Trouble({ needs }: { needs: readonly Need[] }) {
  const [worst, ...others] = needs;
  if (!worst) return null;
  return (
    <Notice
      tone={worst.tone}
      actions={
        <>
          {others.length > 0 && (
            <p>
              Also:{' '}
              {others.map(({ href, title }, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={href}>{title.replace(/\.$/, '')}</a>
                </>
              ))}
            </p>
          )}
          <a class="button" href={worst.href}>
            {worst.button}
          </a>
        </>
      }
    >
      <strong class="tone">{worst.title}</strong> {worst.about}
    </Notice>
  );
}
