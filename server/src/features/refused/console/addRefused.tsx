import type { ConsoleHost } from '../../../console/consoleHost.js';
import { type ConsoleContext, useConsole } from '../../../console/context.js';
import { counted, formatMoney } from '../../../console/parts/format.js';
import type { TimelineStep } from '../../../console/parts/timeline.js';
import { orderDiffers } from '../../../core/orders/store/answer.js';
import { findEntries } from '../../../core/teams/sql/domain.js';
import { encodeId } from '../../../values/ids.js';
import type { RefusedKeeper } from '../keepRefused.js';
import { describeRefusedKind } from '../refusedWords.js';
import type { ReplayDeps } from '../replayRefused.js';
import { sumRefused } from '../sql/groupRefused.js';
import { listRefusedOfOrder, newestRefused } from '../sql/listRefused.js';
import { refusedRoutes } from './refusedRoutes.js';
import { RefusedMark, sayRefusedSum } from './refusedSum.js';
import { originOf } from './refusedTable.js';
import { createStoreRefused } from './storeRefused.js';

/** Adds the pages of refused reports to the console. On these pages a person can also store the reports. */
export function addRefused(
  console: ConsoleHost,
  {
    findUnkept,
    ...replayDeps
  }: Omit<ReplayDeps, 'secret'> & {
    findUnkept: RefusedKeeper['findUnkept'];
  },
): void {
  console.section({
    at: 30,
    path: '/refused',
    title: 'Refused',
    icon: 'M12 4 2.8 20h18.4zM12 10v4M12 17.4v.1',
    mark: async (c) => <RefusedMark sums={await c.var.queryOnce(sumRefused, c.var.isTest)} />,
    news: newestRefused,
  });
  console.pages((app, { secret }) => {
    const storeRefused = createStoreRefused({ ...replayDeps, secret });
    app.route('/refused', refusedRoutes({ storeRefused, findUnkept }));
  });
  console.trouble(30, async ({ var: { link, queryOnce, viewer, isTest, session } }) => {
    const title = sayRefusedSum(await queryOnce(sumRefused, isTest), isTest, viewer);
    return title === null
      ? null
      : {
          tone: 'bad',
          title,
          href: link('/refused'),
          button: session.isReadOnly ? 'See them' : 'Fix them',
        };
  });
  console.timeline(readRefusedSteps);
  console.draw('besideDomains', () => (
    <>
      Those of other hosts wait under <RefusedLink /> until the host is allowed.
    </>
  ));
  console.draw('nothingCame', () => (
    <>
      look under <RefusedLink />, or{' '}
    </>
  ));
}

function RefusedLink() {
  return <a href={useConsole().link('/refused')}>Refused</a>;
}

/** Reads the refused reports of an order as steps of its timeline. */
async function readRefusedSteps(
  c: ConsoleContext,
  { orderId, reportId, currency }: { orderId: string | null; reportId: string | null; currency: string },
): Promise<TimelineStep[]> {
  const { query, link, viewer } = c.var;
  const [refused, domains] = await Promise.all([
    query(listRefusedOfOrder, { orderId, reportId }),
    query(findEntries),
  ]);
  return refused.map((entry) => {
    const differing =
      entry.reason === orderDiffers && entry.amount !== null
        ? formatMoney(entry.amount, entry.currency ?? currency, viewer)
        : entry.reason === 'order_conflict'
          ? (entry.email ?? 'another buyer')
          : null;
    return {
      at: entry.receivedAt,
      title: differing === null ? 'A report was refused' : 'Another report says otherwise',
      tone: 'bad',
      content: (
        <>
          <a href={link(`/refused/${encodeId('ref', entry.id)}`)}>
            {differing === null ? (
              describeRefusedKind(entry, domains).why
            ) : (
              <>
                It says <bdi>{differing}</bdi>, and does not count
              </>
            )}
          </a>
          . Sent by <bdi>{originOf(entry)}</bdi>
          {entry.times > 1 && `, ${counted(entry.times, 'time', viewer)}`}. It needs attention.
        </>
      ),
    };
  });
}
