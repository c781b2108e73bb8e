import { useConsole } from './context.js';
import { Scroll } from './elements.js';
import { OrderTable } from './orderRows.js';
import type { ShownOrderRow } from './sql/shownOrders.js';

/** Number of orders on the overview. */
export const newestAtMost = 10;

interface NewestOrdersProps {
  mode: 'live' | 'test';
  /** The newest orders of that mode, whatever the range. */
  newest: readonly ShownOrderRow[];
  now: Date;
}

/** The overview's newest orders, which grow as orders arrive. */
export function NewestOrders({ mode, newest, now }: NewestOrdersProps) {
  const { base } = useConsole();
  return (
    <section>
      <h2 id="newest">Newest {mode} orders</h2>
      <p id="live" role="status" data-since={now.getTime()}>
        Reload this page to see new orders.
      </p>
      <p id="none" class="notice" hidden={newest.length > 0}>
        No {mode} orders yet.
      </p>
      <Scroll labelledBy="newest">
        <OrderTable
          orders={newest}
          live={`${base}/console/live?mode=${mode}`}
          from={`?mode=${mode}`}
          rowsAtMost={newestAtMost}
        />
      </Scroll>
      <p>
        <a href={`${base}/console/orders?mode=${mode}`}>All {mode} orders</a>
      </p>
    </section>
  );
}
