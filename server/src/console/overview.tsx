import type { OriginRow } from '../orders/sql/orderOrigins.js';
import { type Range, ranges } from './buckets.js';
import { useConsole } from './context.js';
import { Choice } from './elements.js';
import { formatMoney, formatNumber, formatShare, formatTime } from './format.js';
import { OrderHosts, type ShownHost } from './orderHosts.js';
import { OrderOrigins, type OriginQuery } from './orderOrigins.js';
import { OrdersByTime } from './ordersByTime.js';
import { type Figures, reporters } from './overviewFigures.js';

interface OverviewProps {
  now: Date;
  range: Range;
  mode: 'live' | 'test';
  /** The currency whose money is shown by time; empty for the number of orders. */
  currency: string;
  figures: Figures;
  origins: readonly OriginRow[];
  originQuery: OriginQuery;
  hosts: ShownHost[];
  /** Number of refused reports that need attention. */
  refused: number;
  /** The start of the counted orders; null once the whole range is counted. */
  countedFrom: Date | null;
}

/** The content of the overview. */
export function Overview(props: OverviewProps) {
  const { range, mode, currency, figures, originQuery, countedFrom } = props;
  const { base, viewer } = useConsole();
  const { title } = ranges[range];
  return (
    <>
      <h1>Overview</h1>
      <form method="get" action={`${base}/console`} class="filters">
        <input type="hidden" name="touch" value={originQuery.touch} />
        <input type="hidden" name="by" value={originQuery.by} />
        <Choice
          name="range"
          label="Range"
          chosen={range}
          choices={Object.entries(ranges).map(([value, { title }]) => [value, title])}
        />
        <Choice
          name="mode"
          label="Orders"
          chosen={mode}
          choices={[
            ['live', 'Live'],
            ['test', 'Test'],
          ]}
        />
        <Choice
          name="show"
          label="By time"
          chosen={currency}
          choices={[['', 'Number of orders'], ...moneyChoices(props)]}
        />
        <button type="submit">Show</button>
      </form>
      {props.refused > 0 && (
        <p class="notice bad">
          <a href={`${base}/console/refused`}>
            {formatNumber(props.refused, viewer)} refused{' '}
            {props.refused === 1 ? 'report needs' : 'reports need'} attention
          </a>
          . Fix or discard {props.refused === 1 ? 'it' : 'them'}.
        </p>
      )}
      {countedFrom && (
        <p class="notice" role="status">
          Orders before {formatTime(countedFrom, viewer)} are still being counted. Reload in a moment.
        </p>
      )}
      {figures.orders === 0 ? (
        <Empty {...props} title={title} />
      ) : (
        <>
          <Sums {...props} title={title} />
          <OrdersByTime {...props} />
          <OrderOrigins
            origins={props.origins}
            {...originQuery}
            page={{ range, mode, ...(currency && { show: currency }) }}
          />
        </>
      )}
      <OrderHosts {...props} />
    </>
  );
}

/** The currencies with a sum, and the one that is chosen. */
function moneyChoices({ figures, currency }: OverviewProps) {
  const codes = new Set(figures.money.map(({ currency }) => currency));
  if (currency) codes.add(currency);
  return [...codes].map((code) => [code, `Money in ${code}`] as const);
}

function Empty({ mode, range, title }: OverviewProps & { title: string }) {
  const { base } = useConsole();
  const other = mode === 'live' ? 'test' : 'live';
  return (
    <p class="notice">
      No {mode} orders in the last {title}. <a href={`${base}/console/setup`}>Set up your pages</a>, or look
      at the <a href={`${base}/console?range=${range}&mode=${other}`}>{other} orders</a>.
    </p>
  );
}

function Sums({ figures, mode, title }: OverviewProps & { title: string }) {
  const { viewer } = useConsole();
  const { others } = figures;
  return (
    <section>
      <h2 id="sums">
        {mode === 'live' ? 'Live' : 'Test'} orders of the last {title}
      </h2>
      <dl class="sums">
        <div>
          <dt>Orders</dt>
          <dd>{formatNumber(figures.orders, viewer)}</dd>
        </div>
        {figures.money.map(({ currency, amount }) => (
          <div>
            <dt>{currency}</dt>
            <dd>{formatMoney(amount, currency, viewer)}</dd>
          </div>
        ))}
        {others.currencies > 0 && (
          <div>
            <dt>{formatNumber(others.currencies, viewer)} other currencies</dt>
            <dd>
              {formatNumber(others.orders, viewer)} {others.orders === 1 ? 'order' : 'orders'}
            </dd>
          </div>
        )}
        {reporters.map(({ title, reportedBy }, at) => (
          <div>
            <dt>{reportedBy === 'both' ? 'Page and key' : `Only a ${title.toLowerCase()}`}</dt>
            <dd>{formatShare(figures.byReporter[at]! / figures.orders, viewer)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
