import type { Child } from 'hono/jsx';
import { subtractDecimals } from '../../values/decimal.js';
import { useConsole } from '../context.js';
import { formatAverage, formatChange, formatMoney } from '../parts/formatNumber.js';

/** A number of orders, and their money as exact text. */
interface OrdersAndMoney {
  orders: number;
  amount: string;
}

/** The sum of no orders. */
export const noOrders: OrdersAndMoney = { orders: 0, amount: '0' };

interface MoneyTilesProps extends OrdersAndMoney {
  currency: string;
  /** Null where it is not known, as while the orders of the period before are not all counted. */
  before: OrdersAndMoney | null;
  /** Exact text; undefined where nothing was refunded in this currency. */
  refunded: string | undefined;
}

/** The tiles of one currency: its money, where there are refunds what was refunded and what is left. */
export function MoneyTiles({ currency, amount, before, refunded }: MoneyTilesProps) {
  const { viewer } = useConsole();
  const money = (exact: string) => formatMoney(exact, currency, viewer);
  return (
    <>
      <div>
        <dt>{refunded === undefined ? currency : `${currency} gross`}</dt>
        <dd>{money(amount)}</dd>
        {before && (
          <Before before={Number(before.amount)} now={Number(amount)}>
            {money(before.amount)}
          </Before>
        )}
      </div>
      {refunded !== undefined && (
        <>
          <RefundedTile currency={currency} amount={refunded} />
          <div>
            <dt>{currency} net</dt>
            <dd>{money(subtractDecimals(amount, refunded))}</dd>
          </div>
        </>
      )}
    </>
  );
}

/** The tile of what was refunded in one currency. */
export function RefundedTile({ currency, amount }: { currency: string; amount: string }) {
  const { viewer } = useConsole();
  return (
    <div>
      <dt>{currency} refunded</dt>
      <dd>{formatMoney(amount, currency, viewer)}</dd>
    </div>
  );
}

/** The tile of the average order of one currency; none where it has no orders. */
export function AverageTile({ currency, before, ...now }: Omit<MoneyTilesProps, 'refunded'>) {
  const { viewer } = useConsole();
  if (now.orders === 0) return null;
  const average = ({ orders, amount }: OrdersAndMoney) => (orders === 0 ? 0 : Number(amount) / orders);
  return (
    <div>
      <dt>{currency} average order</dt>
      <dd>{formatAverage(average(now), currency, viewer)}</dd>
      {before && (
        <Before before={average(before)} now={average(now)}>
          {formatAverage(average(before), currency, viewer)}
        </Before>
      )}
    </div>
  );
}

interface BeforeProps {
  before: number;
  now: number;
  /** The figure before, in words. */
  children?: Child;
}

/** A figure of the period before, and the change since. */
export function Before({ before, now, children }: BeforeProps) {
  const { viewer } = useConsole();
  return (
    <dd class="before">
      {before === 0 ? 'none before' : [children, ' before, ', formatChange(now / before - 1, viewer)]}
    </dd>
  );
}
