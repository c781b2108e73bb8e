import { type Range, ranges } from './buckets.js';
import { Choice } from './choice.js';
import { formatMoney, formatNumber, formatShare, formatTime } from './format.js';
import { OrderHosts, type ShownHost } from './orderHosts.js';
import { OrdersByTime } from './ordersByTime.js';
import { type Figures, reporters } from './overviewFigures.js';
import type { Reader } from './reader.js';

interface OverviewProps {
  base: string;
  reader: Reader;
  now: Date;
  range: Range;
  mode: 'live' | 'test';
  /** The currency whose money is shown by time; empty for the number of orders. */
  currency: string;
  figures: Figures;
  hosts: ShownHost[];
  /** How many refused reports wait to be mended. */
  refused: number;
  /** Where counting has come to, when it has not come to the start of the range yet. */
  countedFrom: Date | null;
}

/** The content of the overview. */
export function Overview(props: OverviewProps) {
  const { base, reader, range, mode, currency, figures, countedFrom } = props;
  const { title } = ranges[range];
  return (
    <>
      <h1>Overview</h1>
      <form method="get" action={`${base}/console`} class="filters">
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
          choices={[
            ['', 'Number of orders'],
            ...figures.money.map(({ currency }) => [currency, `Money in ${currency}`] as const),
          ]}
        />
        <button type="submit">Show</button>
      </form>
      {props.refused > 0 && (
        <p class="notice bad">
          <a href={`${base}/console/refused`}>
            {formatNumber(props.refused, reader)} refused{' '}
            {props.refused === 1 ? 'report waits' : 'reports wait'}
          </a>{' '}
          for you to mend or discard.
        </p>
      )}
      {countedFrom && (
        <p class="notice" role="status">
          Orders before {formatTime(countedFrom, reader)} are still being counted. Reload in a moment.
        </p>
      )}
      {figures.orders === 0 ? (
        <Empty {...props} title={title} />
      ) : (
        <>
          <Sums {...props} title={title} />
          <OrdersByTime {...props} />
        </>
      )}
      <OrderHosts {...props} />
    </>
  );
}

function Empty({ base, mode, range, title }: OverviewProps & { title: string }) {
  const other = mode === 'live' ? 'test' : 'live';
  return (
    <p class="notice">
      No {mode} orders in the last {title}. <a href={`${base}/console/setup`}>Set up your pages</a>, or look
      at the <a href={`${base}/console?range=${range}&mode=${other}`}>{other} orders</a>.
    </p>
  );
}

function Sums({ figures, reader, mode, title }: OverviewProps & { title: string }) {
  return (
    <section>
      <h2 id="sums">
        {mode === 'live' ? 'Live' : 'Test'} orders of the last {title}
      </h2>
      <dl class="sums">
        <div>
          <dt>Orders</dt>
          <dd>{formatNumber(figures.orders, reader)}</dd>
        </div>
        {figures.money.map(({ currency, amount }) => (
          <div>
            <dt>{currency}</dt>
            <dd>{formatMoney(amount, currency, reader)}</dd>
          </div>
        ))}
        {reporters.map(({ title, reportedBy }, at) => (
          <div>
            <dt>{reportedBy === 'both' ? 'Page and key' : `Only a ${title.toLowerCase()}`}</dt>
            <dd>{formatShare(figures.byReporter[at]! / figures.orders, reader)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
