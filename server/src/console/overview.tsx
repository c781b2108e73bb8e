import { displayDomain } from '../domains.js';
import type { OrderHostRow } from '../sql/listOrderHosts.js';
import { type Range, ranges } from './buckets.js';
import { Choice } from './choice.js';
import { formatBucket, formatMoney, formatNumber, formatShare, formatSpan, formatTime } from './format.js';
import { type Figure, type Figures, reporters, together } from './overviewFigures.js';
import type { Reader } from './reader.js';
import { Scroll } from './scroll.js';

interface OverviewProps {
  base: string;
  reader: Reader;
  now: Date;
  range: Range;
  mode: 'live' | 'test';
  /** The currency whose money is shown by time; empty for the number of orders. */
  currency: string;
  figures: Figures;
  hosts: (OrderHostRow & { usualPerHour: number })[];
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
          <ByTime {...props} />
        </>
      )}
      <Hosts {...props} />
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

function ByTime({ figures, reader, range, currency }: OverviewProps) {
  const { by } = ranges[range];
  const show = ({ orders, amount }: Figure) =>
    currency ? formatMoney(amount, currency, reader) : formatNumber(orders, reader);
  return (
    <section>
      <h2 id="by-time">
        {currency ? `Money in ${currency}` : 'Orders'} by {by}
      </h2>
      <p>
        <small>Times in {reader.zone}. Reported by a page, by a backend with an API key, or by both.</small>
      </p>
      <div id="chart" class="chart" data-zone={reader.zone} data-by={by} hidden></div>
      <Scroll labelledBy="by-time">
        <table id="figures">
          <thead>
            <tr>
              <th scope="col">{by === 'hour' ? 'Hour' : 'Day'}</th>
              {reporters.map(({ title }) => (
                <th scope="col" class="number">
                  {title}
                </th>
              ))}
              <th scope="col" class="number">
                Together
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.buckets
              .map(({ from, figures }) => (
                <tr>
                  <th scope="row" data-at={from.getTime() / 1000}>
                    {formatBucket(from, by, reader)}
                  </th>
                  {figures.map((figure) => (
                    <td class="number" data-value={currency ? figure.amount : figure.orders}>
                      {show(figure)}
                    </td>
                  ))}
                  <td class="number">{show(together(figures))}</td>
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Hosts({ hosts, reader, now, mode }: OverviewProps) {
  if (hosts.length === 0) return null;
  return (
    <section>
      <h2 id="hosts">Where {mode} orders came from, these 7 days</h2>
      <Scroll labelledBy="hosts">
        <table>
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Last order</th>
              <th scope="col">Silent for</th>
              <th scope="col" class="number">
                Usually an hour
              </th>
            </tr>
          </thead>
          <tbody>
            {hosts.map(({ host, lastOrderAt, usualPerHour }) => (
              <tr>
                <th scope="row">{host === '' ? 'no page, only keys' : displayDomain(host)}</th>
                <td>{formatTime(lastOrderAt, reader)}</td>
                <td>{formatSpan(now.getTime() - lastOrderAt.getTime())}</td>
                <td class="number">{formatRate(usualPerHour, reader)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function formatRate(perHour: number, reader: Reader): string {
  if (perHour < 1) return 'less than 1';
  return formatNumber(perHour < 10 ? Math.round(perHour * 10) / 10 : Math.round(perHour), reader);
}
