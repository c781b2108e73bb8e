import type { ConsoleHost } from '../../console/consoleHost.js';
import { useConsole } from '../../console/context.js';
import { Confirm, NoForm } from '../../console/parts/form.js';
import { counted } from '../../console/parts/format.js';
import { setFlash } from '../../console/parts/layout.js';
import { Notice, Panel } from '../../console/parts/panel.js';
import { countSamples, removeSamples } from './sql/samples.js';

/** While the demo team has sample orders, adds a line above the figures, and the button that removes the samples. */
export function addSamples(console: ConsoleHost): void {
  console.draw('aboveFigures', async ({ var: { session, queryOnce, isTest } }) => {
    if (!session.isDemo || !isTest || (await queryOnce(countSamples)) === 0) return null;
    return <SamplesNotice />;
  });
  console.draw('belowShop', async ({ var: { session, queryOnce } }) => {
    const orders = session.isDemo ? await queryOnce(countSamples) : 0;
    return orders === 0 ? null : <Samples orders={orders} />;
  });
  console.pages((app, { listeners }) => {
    app.post('/setup/shop/samples', async (c) => {
      const { query, link, session, viewer } = c.var;
      const removed = session.isDemo
        ? await query((sql, teamId) => removeSamples(sql, teamId, listeners))
        : 0;
      setFlash(c, {
        words:
          removed === 0
            ? 'No sample order was left to remove.'
            : `${counted(removed, 'sample order is', viewer, 'sample orders are')} removed.`,
      });
      return c.redirect(link('/setup/shop'), 303);
    });
  });
}

function SamplesNotice() {
  const { link, session } = useConsole();
  return (
    <Notice>
      Among these are sample orders.{' '}
      {!session.isReadOnly && <a href={link('/setup/shop#samples')}>Remove the samples</a>}
    </Notice>
  );
}

function Samples({ orders }: { orders: number }) {
  const { viewer } = useConsole();
  const words = counted(orders, 'sample order', viewer);
  return (
    <Panel
      id="samples"
      title="Sample orders"
      beside={
        <Confirm
          to="/setup/shop/samples"
          title="Remove the samples"
          text="They are gone for good, with their refunds and buyers. Your own orders stay."
        >
          Remove {words}
        </Confirm>
      }
    >
      <div class="body muted">
        {words} show how the console looks with a month of orders. <NoForm action="remove them" />
      </div>
    </Panel>
  );
}
