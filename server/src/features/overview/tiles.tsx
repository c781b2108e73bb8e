import { useConsole } from '../../console/context.js';
import {
  counted,
  formatAverage,
  formatChange,
  formatMoney,
  formatNumber,
  formatShare,
} from '../../console/parts/format.js';
import type { Tone } from '../../console/parts/panel.js';
import { Tile } from '../../console/parts/tile.js';
import { subtractDecimals } from '../../values/decimal.js';
import type { OverviewData } from './loadOverview.js';
import { charted, drawn, titles } from './overviewFigures.js';
import { overviewParameters } from './overviewQuery.js';

interface Money {
  currency: string;
  amount: string;
}

/** The overview's figures as tiles, compared with the period before. Figures with a chart link to it. */
export function Tiles({
  query,
  figures,
  before,
  refunds,
  refundsBefore,
  currency,
}: OverviewData & { currency: string }) {
  const { link, viewer } = useConsole();
  const { others } = figures;
  const [now, earlier] = [inCurrency(figures.money, currency), inCurrency(before.money, currency)];
  const [gross, grossBefore] = [now?.amount ?? '0', earlier?.amount ?? '0'];
  const [refunded, refundedBefore] = [refunds, refundsBefore].map((rows) => amountIn(rows, currency));
  const money = (amount: string) => (currency === '' ? '–' : formatMoney(amount, currency, viewer));
  const average = (row: typeof now) => (row && row.orders > 0 ? Number(row.amount) / row.orders : 0);
  /** Describes the money in other currencies than the shown one: the first currency in full, further ones as a number. */
  const besides = (rows: readonly Money[], more = 0) => {
    const other = rows.filter((row) => row.currency !== currency);
    const [first] = other;
    if (!first) return more > 0 ? counted(more, 'other currency', viewer, 'other currencies') : null;
    const left = other.length - 1 + more;
    return `+ ${formatMoney(first.amount, first.currency, viewer)}${left > 0 ? ` and ${counted(left, 'other', viewer)}` : ''}`;
  };
  // The money of orders in further currencies is unknown, so a net of their refunds alone would be wrong.
  const ofNet = others.currencies > 0 ? figures.money : [...figures.money, ...refunds];
  const codes = [...new Set(ofNet.map((row) => row.currency))];
  const net = codes.map((code) => ({
    currency: code,
    amount: subtractDecimals(amountIn(figures.money, code), amountIn(refunds, code)),
  }));
  const share = confirmedShare(figures);
  const tile = (figure: keyof typeof titles) => {
    const show = charted.find((name) => name === figure);
    return {
      name: titles[figure],
      ...(show && {
        href: link('', overviewParameters(query, { show })),
        isChosen: query.show === show,
        trend: figures.buckets.map((bucket) => drawn[show](bucket).reduce((sum, value) => sum + value, 0)),
      }),
    };
  };
  const change = (now: number, then: number, good: 'more' | 'less' = 'more') =>
    then > 0 ? describeChange(now / then - 1, good, formatChange(now / then - 1, viewer)) : null;
  return (
    <nav class="tiles" aria-label="Figures: each shows its chart">
      <Tile
        {...tile('orders')}
        figure={formatNumber(figures.orders, viewer)}
        about={before.orders > 0 && `${formatNumber(before.orders, viewer)} before`}
        change={change(figures.orders, before.orders)}
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
        change={change(average(now), average(earlier))}
      />
      <Tile
        {...tile('confirmed')}
        figure={figures.orders === 0 ? '–' : formatShare(share, viewer)}
        about="by your shop itself"
        change={
          before.orders > 0
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

const inCurrency = <Row extends Money>(rows: readonly Row[], currency: string) =>
  rows.find((row) => row.currency === currency);

const amountIn = (rows: readonly Money[], currency: string) => inCurrency(rows, currency)?.amount ?? '0';

function describeChange(change: number, good: 'more' | 'less', words: string) {
  const isNone = Math.abs(change) < 0.005;
  const direction = change > 0 ? 'more' : 'less';
  const tone: Tone = direction === good ? 'good' : 'bad';
  return {
    text: isNone ? '→ same' : `${change > 0 ? '↑' : '↓'} ${words}`,
    ariaText: isNone ? 'as before' : `${direction} than before`,
    tone: isNone ? undefined : tone,
  };
}

/** Calculates the share of orders that a backend confirmed. It is 0 or 1 only if that is exact, even after rounding. */
function confirmedShare({
  orders,
  confirmed,
}: Pick<OverviewData['figures'], 'orders' | 'confirmed'>): number {
  if (orders === 0 || confirmed === 0 || confirmed === orders) return orders === 0 ? 0 : confirmed / orders;
  const share = confirmed / orders;
  const steps = share < 0.01 || share > 0.99 ? 1000 : 100;
  return Math.min(steps - 1, Math.max(1, Math.round(share * steps))) / steps;
}
