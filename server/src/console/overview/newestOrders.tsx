import { useConsole } from '../context.js';
import { OrderTable } from '../orders/orderRows.js';
import { Scroll } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';

/** Number of orders on the overview. */
export const newestAtMost = 10;
/** Number of orders that are read for the newest ten live ones, or tests. */
export const newestLookAtMost = 2_000;

interface NewestOrdersProps {
  mode: 'live' | 'test';
  /** The newest orders of that mode, whatever the range. */
  newest: readonly ShownOrderRow[];
  /** True when older orders were not looked at. */
  isNewestPartial: boolean;
  now: Date;
}

/** The overview's newest orders, which grow as orders arrive. */
export function NewestOrders({ mode, newest, isNewestPartial, now }: NewestOrdersProps) {
  const { home, viewer } = useConsole();
  return (
    <section>
      <h2 id="newest">Newest {mode} orders</h2>
      <p id="live" role="status" data-since={now.getTime()}>
        Reload this page to see new orders.
      </p>
      <p id="none" class="notice" hidden={newest.length > 0}>
        No {mode} orders{' '}
        {isNewestPartial ? `among the newest ${formatNumber(newestLookAtMost, viewer)} orders` : 'yet'}.
      </p>
      <Scroll labelledBy="newest">
        <OrderTable
          orders={newest}
          live={`${home}/live?mode=${mode}`}
          from={`?mode=${mode}`}
          rowsAtMost={newestAtMost}
        />
      </Scroll>
      <p>
        <a href={`${home}/orders?mode=${mode}`}>All {mode} orders</a>
      </p>
    </section>
  );
}
