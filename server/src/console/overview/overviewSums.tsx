import type { RefundSumRow } from '../../orders/sql/listRefunds.js';
import { useConsole } from '../context.js';
import { reporters } from '../orders/reporterWords.js';
import { formatNumber, formatShare } from '../parts/formatNumber.js';
import { formatDays } from '../parts/formatTime.js';
import { rangeParameters } from './askedRange.js';
import { AverageTile, Before, MoneyTiles, noOrders, RefundedTile } from './moneyTiles.js';
import type { Figures, FiguresBefore } from './overviewFigures.js';
import type { Range } from './range.js';
import { describeRange } from './rangeFields.js';

interface OverviewSumsProps {
  range: Range;
  mode: 'live' | 'test';
  figures: Figures;
  /** Null while the orders of the period before are not all counted. */
  before: FiguresBefore | null;
  /** Refunds that were made in the range, whenever their orders were. */
  refunds: readonly RefundSumRow[];
}

/** The overview's tiles: orders and money of the range, each against the period before, refunds, and who reported them. */
export function OverviewSums({ figures, before, refunds, range, mode }: OverviewSumsProps) {
  const { home, viewer } = useConsole();
  const { others } = figures;
  const parameters = new URLSearchParams({ ...rangeParameters(range), mode });
  const refundsAlone = refunds
    .filter(({ currency }) => !figures.money.some((row) => row.currency === currency))
    .slice(0, currenciesAtMost);
  // A currency without tiles may have orders: those that are counted together as others.
  const withoutOrders =
    others.currencies > 0 ? [] : refundsAlone.map(({ currency }) => ({ currency, ...noOrders }));
  const money = [...figures.money, ...withoutOrders];
  const moneyBefore = ({ currency }: { currency: string }) =>
    before &&
    (before.money.find((row) => row.currency === currency) ??
      (before.others.currencies > 0 ? null : noOrders));
  return (
    <section>
      <h2 id="sums">
        {mode === 'live' ? 'Live' : 'Test'} orders {describeRange(range, viewer)}
      </h2>
      <p>
        <small>
          {formatDays(range.first, range.last, viewer)}.{' '}
          <a href={`${home}/orders?${parameters}`}>List these orders</a>, or{' '}
          <a href={`${home}/orders.csv?${parameters}`}>download them as CSV</a>.
        </small>
      </p>
      <dl class="sums">
        <div>
          <dt>Orders</dt>
          <dd>{formatNumber(figures.orders, viewer)}</dd>
          {before && (
            <Before before={before.orders} now={figures.orders}>
              {formatNumber(before.orders, viewer)}
            </Before>
          )}
        </div>
        {money.map((row) => (
          <MoneyTiles
            {...row}
            before={moneyBefore(row)}
            refunded={refunds.find(({ currency }) => currency === row.currency)?.amount}
          />
        ))}
        {others.currencies > 0 && refundsAlone.map((row) => <RefundedTile {...row} />)}
        {others.currencies > 0 && (
          <div>
            <dt>
              {formatNumber(others.currencies, viewer)} other{' '}
              {others.currencies === 1 ? 'currency' : 'currencies'}
            </dt>
            <dd>
              {formatNumber(others.orders, viewer)} {others.orders === 1 ? 'order' : 'orders'}
            </dd>
          </div>
        )}
        {money.map((row) => (
          <AverageTile {...row} before={moneyBefore(row)} />
        ))}
        {figures.orders > 0 && <ReporterTiles figures={figures} before={before} />}
      </dl>
      {refunds.length > 0 && (
        <p>
          <small>
            Refunds count on the day on which they were made, whenever the order was. Net is gross less these
            refunds.
          </small>
        </p>
      )}
      {before && (
        <p>
          <small>
            “Before” is {formatDays(range.daysBefore.first, range.daysBefore.last, viewer)}
            {range.isOpen && ', up to the same time of day'}.
          </small>
        </p>
      )}
    </section>
  );
}

/** Currencies with tiles that have refunds, and no orders with tiles, in the range. */
const currenciesAtMost = 10;

type ReporterTilesProps = Pick<OverviewSumsProps, 'figures' | 'before'>;

/** The tiles of how many orders a backend confirmed. They add up to 100 %. */
function ReporterTiles({ figures, before }: ReporterTilesProps) {
  const { viewer } = useConsole();
  const confirmed = confirmedShare(figures);
  const tiles = [
    ['Confirmed by your backend', (share: number) => share],
    ['Browser only', (share: number) => 1 - share],
  ] as const;
  return (
    <>
      {tiles.map(([title, of]) => (
        <div>
          <dt>{title}</dt>
          <dd>{formatShare(of(confirmed), viewer)}</dd>
          {before && before.orders > 0 && (
            <dd class="before">{formatShare(of(confirmedShare(before)), viewer)} before</dd>
          )}
        </div>
      ))}
    </>
  );
}

/** The share of orders that a key reported, rounded so that what is left is the rounded rest. */
function confirmedShare({ orders, byReporter }: Pick<Figures, 'orders' | 'byReporter'>): number {
  const share = 1 - byReporter[reporters.findIndex(({ reportedBy }) => reportedBy === 'browser')]! / orders;
  if (share === 0 || share === 1) return share;
  const steps = share < 0.01 || share > 0.99 ? 1000 : 100;
  return Math.min(steps - 1, Math.max(1, Math.round(share * steps))) / steps;
}
