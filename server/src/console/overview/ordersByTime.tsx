import { useConsole } from '../context.js';
import { reporters } from '../orders/reporterWords.js';
import { Scroll } from '../parts/elements.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';
import { formatBucket, formatBucketMark } from '../parts/formatTime.js';
import type { BucketLength } from './buckets.js';
import type { BucketFigures, Figure, Figures } from './overviewFigures.js';

interface OrdersByTimeProps {
  figures: Figures;
  range: { by: BucketLength };
  /** The currency whose money is shown; empty for the number of orders. */
  currency: string;
}

const bucketTitles = { hour: 'Hour', day: 'Day', week: 'Week from', month: 'Month' } as const;

/** The overview's chart of orders by time, and its figures as a table, which is folded. */
export function OrdersByTime({ figures, range: { by }, currency }: OrdersByTimeProps) {
  const { viewer } = useConsole();
  const show = ({ orders, amount }: Figure) =>
    currency ? formatMoney(amount, currency, viewer) : formatNumber(orders, viewer);
  return (
    <section>
      <h2 id="by-time">
        {currency ? `Money in ${currency}` : 'Orders'} by {by}
      </h2>
      <div id="chart" class="chart" data-chart={chartData()} hidden>
        <p class="legend">
          {reporters.map(({ title }, at) => (
            <span>
              <i class={`swatch series-${at}`}></i> {title}
            </span>
          ))}
        </p>
      </div>
      <details>
        <summary>Show figures</summary>
        <Scroll labelledBy="by-time">
          <table id="figures">
            <thead>
              <tr>
                <th scope="col">{bucketTitles[by]}</th>
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
              {joinEmpty(figures.buckets)
                .map(({ bucket, last }) => (
                  <tr>
                    <th scope="row">
                      {formatBucket(bucket.from, by, viewer)}
                      {last && ` – ${formatBucket(last.from, by, viewer)}`}
                    </th>
                    {last ? (
                      <td colspan={reporters.length + 1} class="number">
                        No orders
                      </td>
                    ) : (
                      [...bucket.figures, bucket.together].map((figure) => (
                        <td class="number">{show(figure)}</td>
                      ))
                    )}
                  </tr>
                ))
                .reverse()}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );

  /** Data that `chart.js` draws: the titles of the series, and for each bucket its names, and its figures as numbers and in words. */
  function chartData(): string {
    return JSON.stringify({
      titles: reporters.map(({ title }) => title),
      isMoney: currency !== '',
      buckets: figures.buckets.map(({ from, figures, together }) => ({
        name: formatBucket(from, by, viewer),
        mark: formatBucketMark(from, by, viewer),
        values: figures.map(({ orders, amount }) => Number(currency ? amount : orders)),
        words: figures.map(show),
        together: show(together),
      })),
    });
  }
}

/** Joins buckets without orders that follow each other to one line, from a bucket up to the last one. */
function joinEmpty(buckets: readonly BucketFigures[]): { bucket: BucketFigures; last?: BucketFigures }[] {
  const lines: { bucket: BucketFigures; last?: BucketFigures }[] = [];
  for (const bucket of buckets) {
    const line = lines.at(-1);
    if (line && bucket.together.orders === 0 && line.bucket.together.orders === 0) line.last = bucket;
    else lines.push({ bucket });
  }
  return lines;
}
