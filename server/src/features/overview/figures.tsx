import { useConsole } from '../../console/context.js';
import { Bars, SeriesName } from '../../console/parts/bars.js';
import {
  counted,
  formatAverage,
  formatBucket,
  formatBucketMark,
  formatMoney,
  formatNumber,
  formatShare,
  formatShortMoney,
} from '../../console/parts/format.js';
import { Table } from '../../console/parts/table.js';
import type { Viewer } from '../../console/parts/viewer.js';
import type { OverviewData } from './loadOverview.js';
import { type BucketFigures, type Charted, drawn, titles } from './overviewFigures.js';
import { Tiles } from './tiles.js';

/** Formats a figure of a bucket. A sum is exact, and has three texts: confirmed, reported by pages only, and all. */
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
  const { show } = query;
  const { viewer } = useConsole();
  const currency = figures.currency || (data.refunds[0]?.currency ?? '');
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
        <Tiles {...data} currency={currency} />
        <div class="body">
          <div class="line">
            <h2>{title}</h2>
            {isSplit && (
              <>
                <SeriesName series={1}>Confirmed by your shop</SeriesName>
                <SeriesName series={2}>Browser only</SeriesName>
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
