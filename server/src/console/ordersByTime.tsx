import { type Range, ranges } from './buckets.js';
import { useConsole } from './context.js';
import { Scroll } from './elements.js';
import { formatBucket, formatMoney, formatNumber } from './format.js';
import { type Figure, type Figures, reporters } from './overviewFigures.js';

interface OrdersByTimeProps {
  figures: Figures;
  range: Range;
  /** The currency whose money is shown; empty for the number of orders. */
  currency: string;
}

/** The overview's table of orders by hour or day, and the place of the chart that is drawn from it. */
export function OrdersByTime({ figures, range, currency }: OrdersByTimeProps) {
  const { viewer } = useConsole();
  const { by } = ranges[range];
  const show = ({ orders, amount }: Figure) =>
    currency ? formatMoney(amount, currency, viewer) : formatNumber(orders, viewer);
  return (
    <section>
      <h2 id="by-time">
        {currency ? `Money in ${currency}` : 'Orders'} by {by}
      </h2>
      <p>
        <small>Times in {viewer.zone}. Reported by a page, by a backend with an API key, or by both.</small>
      </p>
      <div id="chart" class="chart" data-zone={viewer.zone} data-by={by} hidden></div>
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
              .map(({ from, figures, together }) => (
                <tr>
                  <th scope="row" data-at={from.getTime() / 1000}>
                    {formatBucket(from, by, viewer)}
                  </th>
                  {figures.map((figure) => (
                    <td class="number" data-value={currency ? figure.amount : figure.orders}>
                      {show(figure)}
                    </td>
                  ))}
                  <td class="number">{show(together)}</td>
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
