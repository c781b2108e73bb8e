import { subtractDecimals } from '../../values/decimal.js';
import { useConsole } from '../context.js';
import { Bars } from '../parts/bars.js';
import {
  formatAverage,
  formatChange,
  formatMoney,
  formatNumber,
  formatShare,
  formatShortMoney,
} from '../parts/formatNumber.js';
import { formatBucket, formatBucketMark } from '../parts/formatTime.js';
import type { Tone } from '../parts/notice.js';
import { Table } from '../parts/table.js';
import { Tile } from '../parts/tile.js';
import type { Viewer } from '../parts/viewer.js';
import { counted } from '../parts/words.js';
import type { OverviewData } from './loadOverview.js';
import type { BucketFigures } from './overviewFigures.js';
import { type OverviewQuery, overviewParameters } from './overviewQuery.js';

type Figure = OverviewQuery['show'];

const titles: Record<Figure, string> = {
  orders: 'Orders',
  gross: 'Gross',
  refunded: 'Refunded',
  net: 'Net',
  average: 'Average order',
  confirmed: 'Confirmed',
};

/** Figures that have a course over time. Refunds are added up for the whole range alone. */
const charted = ['orders', 'gross', 'average', 'confirmed'] as const satisfies Figure[];
type Charted = (typeof charted)[number];

/** A figure of one bucket, as it is drawn: of what a backend confirmed, and of what a page alone reported. */
const drawn: Record<Charted, (bucket: BucketFigures) => number[]> = {
  orders: ({ confirmed, browser }) => [confirmed.orders, browser.orders],
  gross: ({ confirmed, browser }) => [Number(confirmed.amount), Number(browser.amount)],
  average: ({ together }) => [together.inCurrency === 0 ? 0 : Number(together.amount) / together.inCurrency],
  confirmed: ({ confirmed, together }) => [together.orders === 0 ? 0 : confirmed.orders / together.orders],
};

/** The figures of a bucket in words, exact ones where they are sums: of what is drawn, and of all. */
function wordsOf(show: Charted, bucket: BucketFigures, currency: string, viewer: Viewer): string[] {
  const { confirmed, browser, together } = bucket;
  const [value] = drawn[show](bucket);
  switch (show) {
    case 'orders':
      return [confirmed, browser, together].map(({ orders }) => formatNumber(orders, viewer));
    case 'gross':
      return [confirmed, browser, together].map(({ amount }) => formatMoney(amount, currency, viewer));
    case 'average':
      return [formatAverage(value!, currency, viewer)];
    case 'confirmed':
      return [formatShare(value!, viewer)];
  }
}

/** The overview's figures as tiles, and one of them over time, as a chart and as a table. */
export function Figures(data: OverviewData) {
  const { query, figures } = data;
  const { viewer } = useConsole();
  const currency = figures.currency || (data.refunds[0]?.currency ?? '');
  const show: Charted = charted.find((figure) => figure === query.show) ?? 'orders';
  const write = (value: number) => {
    if (show === 'orders') return formatNumber(value, viewer);
    if (show === 'confirmed') return formatShare(value, viewer);
    return formatShortMoney(String(value), currency, viewer);
  };
  const { by } = query.range;
  const title = `${titles[show]}${show === 'gross' || show === 'average' ? ` in ${currency}` : ''} by ${by}`;
  const isSplit = show === 'orders' || show === 'gross';
  const words = (bucket: BucketFigures) => wordsOf(show, bucket, currency, viewer);
  return (
    <>
      <section class="panel" aria-label="Figures">
        <Tiles {...data} />
        <div class="body">
          <div class="line">
            <h2>{title}</h2>
            {isSplit && (
              <>
                <small class="series-1">Confirmed by your backend</small>
                <small class="series-2">Browser only</small>
              </>
            )}
            <a class="push" href="#figures">
              Show figures
            </a>
          </div>
          <Bars
            label={title}
            write={write}
            bars={figures.buckets.map((bucket) => ({
              values: drawn[show](bucket),
              title: `${formatBucket(bucket.from, by, viewer)}: ${describe(bucket)}`,
              mark: formatBucketMark(bucket.from, by, viewer),
            }))}
          />
        </div>
      </section>
      <section class="panel" id="figures" data-fresh="table" aria-labelledby="figures-title">
        <header class="line">
          <h2 id="figures-title">{title}</h2>
          <a class="push" href="#content">
            Hide figures
          </a>
        </header>
        <Table
          columns={[
            {
              head: by === 'month' ? 'Month' : by === 'day' ? 'Day' : 'Hour',
              cell: ({ from }) => formatBucket(from, by, viewer),
              class: 'title long',
              isName: true,
            },
            ...(isSplit
              ? [
                  { head: 'Confirmed', cell: (row: BucketFigures) => words(row)[0], class: 'number note' },
                  { head: 'Browser only', cell: (row: BucketFigures) => words(row)[1], class: 'number mark' },
                ]
              : []),
            { head: 'Total', cell: (row) => words(row).at(-1), class: 'number value' },
          ]}
          rows={figures.buckets.toReversed()}
        />
      </section>
    </>
  );

  function describe({ confirmed, browser, together }: BucketFigures): string {
    const money = currency === '' ? '' : `, ${formatMoney(together.amount, currency, viewer)}`;
    return `${counted(together.orders, 'order', viewer)}${money}. ${confirmed.orders} confirmed, ${browser.orders} browser only.`;
  }
}

function Tiles({ query, figures, before, refunds, refundsBefore }: OverviewData) {
  const { link, viewer } = useConsole();
  const { others } = figures;
  const currency = figures.currency || (refunds[0]?.currency ?? '');
  const ofCurrency = <Row extends { currency: string }>(rows: readonly Row[]) =>
    rows.find((row) => row.currency === currency);
  const [now, earlier] = [ofCurrency(figures.money), before && ofCurrency(before.money)];
  const [gross, grossBefore] = [now?.amount ?? '0', earlier?.amount ?? '0'];
  const [refunded, refundedBefore] = [refunds, refundsBefore].map((rows) => ofCurrency(rows)?.amount ?? '0');
  const money = (amount: string) => (currency === '' ? '–' : formatMoney(amount, currency, viewer));
  const average = (row: typeof now) => (row && row.orders > 0 ? Number(row.amount) / row.orders : 0);
  /** The money of other currencies: of one in full, and of more as their number. */
  const besides = (rows: readonly { currency: string; amount: string }[], more = 0) => {
    const other = rows.filter((row) => row.currency !== currency);
    const [first] = other;
    if (!first) return more > 0 ? counted(more, 'other currency', viewer, 'other currencies') : null;
    const left = other.length - 1 + more;
    return `+ ${formatMoney(first.amount, first.currency, viewer)}${left > 0 ? ` and ${counted(left, 'other', viewer)}` : ''}`;
  };
  const amountOf = (rows: readonly { currency: string; amount: string }[], code: string) =>
    rows.find((row) => row.currency === code)?.amount ?? '0';
  const codes = [...new Set([...figures.money, ...refunds].map((row) => row.currency))];
  const net = codes.map((code) => ({
    currency: code,
    amount: subtractDecimals(amountOf(figures.money, code), amountOf(refunds, code)),
  }));
  const share = confirmedShare(figures);
  const tile = (figure: Figure) => ({
    name: titles[figure],
    ...(charted.some((name) => name === figure) && {
      href: link('', overviewParameters(query, { show: figure })),
      isChosen: query.show === figure,
      trend: figures.buckets.map((bucket) =>
        drawn[figure as Charted](bucket).reduce((sum, value) => sum + value, 0),
      ),
    }),
  });
  const change = (now: number, then: number, good: 'more' | 'less' = 'more') =>
    before && then > 0 ? describeChange(now / then - 1, good, formatChange(now / then - 1, viewer)) : null;
  return (
    <nav class="tiles" aria-label="Figures: each shows its chart">
      <Tile
        {...tile('orders')}
        figure={formatNumber(figures.orders, viewer)}
        about={before && before.orders > 0 && `${formatNumber(before.orders, viewer)} before`}
        change={change(figures.orders, before?.orders ?? 0)}
      />
      <Tile
        {...tile('gross')}
        figure={money(gross)}
        about={besides(figures.money, others.currencies)}
        change={change(Number(gross), Number(grossBefore))}
      />
      <Tile
        {...tile('refunded')}
        figure={money(refunded!)}
        about={besides(refunds)}
        change={change(Number(refunded), Number(refundedBefore), 'less')}
      />
      <Tile
        {...tile('net')}
        figure={money(subtractDecimals(gross, refunded!))}
        about={besides(net, others.currencies)}
        change={change(Number(gross) - Number(refunded), Number(grossBefore) - Number(refundedBefore))}
      />
      <Tile
        {...tile('average')}
        figure={now ? formatAverage(average(now), currency, viewer) : '–'}
        about={earlier && `${formatAverage(average(earlier), currency, viewer)} before`}
        change={change(average(now), average(earlier ?? undefined))}
      />
      <Tile
        {...tile('confirmed')}
        figure={figures.orders === 0 ? '–' : formatShare(share, viewer)}
        about="by your backend"
        change={
          before && before.orders > 0
            ? describeChange(
                share - confirmedShare(before),
                'more',
                `${formatNumber(Math.abs(Math.round(100 * (share - confirmedShare(before)))), viewer)} pt`,
              )
            : null
        }
      />
    </nav>
  );
}

function describeChange(change: number, good: 'more' | 'less', words: string) {
  const isNone = Math.abs(change) < 0.005;
  const direction = change > 0 ? 'more' : 'less';
  const tone: Tone = direction === good ? 'good' : 'bad';
  return {
    words: isNone ? '→ same' : `${change > 0 ? '↑' : '↓'} ${words}`,
    spoken: isNone ? 'as before' : `${direction} than before`,
    tone: isNone ? undefined : tone,
  };
}

/** The share of orders that a backend confirmed, rounded so that neither all nor none is claimed where it is not so. */
function confirmedShare({
  orders,
  confirmed,
}: Pick<OverviewData['figures'], 'orders' | 'confirmed'>): number {
  if (orders === 0 || confirmed === 0 || confirmed === orders) return orders === 0 ? 0 : confirmed / orders;
  const share = confirmed / orders;
  const steps = share < 0.01 || share > 0.99 ? 1000 : 100;
  return Math.min(steps - 1, Math.max(1, Math.round(share * steps))) / steps;
}
