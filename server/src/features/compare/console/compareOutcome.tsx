import { useConsole } from '../../../console/context.js';
import { dayOf } from '../../../console/parts/calendar.js';
import { Time } from '../../../console/parts/elements.js';
import {
  counted,
  formatDays,
  formatMoney,
  formatNumber,
  formatTime,
  modeText,
} from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import type { Column } from '../../../console/parts/table.js';
import { Tile } from '../../../console/parts/tile.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import { encodeId } from '../../../values/ids.js';
import type { ComparedOrder } from '../compare/comparedOrders.js';
import { judge } from '../compare/comparison.js';
import {
  advice,
  describeMore,
  describeReading,
  describeRefunds,
  describeSums,
} from '../compare/describeOutcome.js';
import type { FileOrder } from '../read/fileOrder.js';
import { CurrencyField, fileFormId } from './compareForm.js';
import { Id, List, Reasons } from './compareLists.js';
import type { ShownComparison } from './shownComparison.js';

/**
 * The differences between a file and the stored orders: four figures, a list of each kind, and the button that stores
 * the missing orders.
 * @param refused number of missing orders that the last press could not store
 */
export function Outcome({ shown, refused }: { shown: ShownComparison; refused: number }) {
  const { viewer, isTest, link } = useConsole();
  const { outcome, missing, different, onlyHere, unread, notStored } = shown;
  const storable = shown.storable - refused;
  const { format, orders, sums } = outcome;
  const count = (number: number) => formatNumber(number, viewer);
  const money = (amount: number, currency: string) =>
    currency === '' ? count(amount) : formatMoney(String(amount), currency, viewer);
  const reading = describeReading(outcome, {
    count,
    nameWords: 'tick it below',
    leaveOut: 'If it is the dates that cannot be read, leave their column out below.',
    nameCurrency: '',
    nameIds: 'Choose the column that has the ids of your pages.',
  });
  const mode = modeText(isTest);
  const figure = (name: string, number: number, id: string, about: string) => (
    <Tile name={name} figure={count(number)} about={about} {...(number > 0 && { href: `#${id}` })} />
  );
  return (
    <>
      <section class="panel" aria-label="The outcome">
        <header>
          <h2>
            <span role="status">
              {counted(orders, 'paid order', viewer)} of the file{format && ` (${format})`}, and your {mode}{' '}
              orders
            </span>
          </h2>
        </header>
        <div class="tiles">
          <Tile name="Matched" figure={count(outcome.equal)} about="the same id and amount" />
          {figure(
            'Missing here',
            outcome.missing,
            'missing',
            describeSums(sums.missing, money) +
              (refused > 0 ? `, of these ${count(refused)} refused above` : ''),
          )}
          {figure('Different', outcome.different, 'different', describeMore(sums.different, money))}
          {figure('Only here', outcome.onlyHere, 'only-here', describeSums(sums.onlyHere, money))}
        </div>
        <p class="body muted">{reading.join(' ')}</p>
      </section>
      {judge(outcome) === 'same' && <Notice tone="good">Nothing is missing or different.</Notice>}
      {outcome.lacksCurrency && outcome.missing > 0 && (
        <Notice
          tone="warn"
          actions={
            <button type="submit" form={fileFormId} class="outline secondary">
              Compare again
            </button>
          }
        >
          <CurrencyField
            form={fileFormId}
            label="The file has no currency. Name it, so that missing orders can be stored:"
          />
        </Notice>
      )}
      {storable > 0 && (
        <Notice
          tone="warn"
          actions={
            <button type="submit" form={fileFormId} formaction={link('/compare/store')}>
              Store {counted(storable, `${mode} order`, viewer)}
            </button>
          }
        >
          Missing orders are stored{outcome.columns.createdAt === null ? '' : ' at their own dates'} as {mode}{' '}
          orders, as if your backend had reported them. Each counts once. You can take it back for a day.{' '}
          {describeRefunds(outcome, { count, money }).join(' ')}
        </Notice>
      )}
      <List
        id="missing"
        title="Missing here"
        count={outcome.missing}
        columns={[
          { head: 'Order id', class: 'note mid', isName: true, cell: ({ orderId }) => <Id>{orderId}</Id> },
          {
            head: 'Buyer',
            class: 'title long',
            cell: ({ email }) => <bdi>{email?.slice(0, 254) ?? '–'}</bdi>,
          },
          { head: 'Amount', class: 'number value', cell: (order) => <Money {...order} /> },
          ...(missing.some(({ refunded }) => refunded !== null) ? [refundedColumn] : []),
          { head: 'Date', class: 'number time', cell: (order) => formatDate(order, viewer) },
        ]}
        rows={missing}
      />
      <List
        id="different"
        title="Different"
        about={advice.different}
        count={outcome.different}
        columns={[
          {
            head: 'Order',
            class: 'title long',
            isName: true,
            cell: ({ here }) => <OrderLink order={here} />,
          },
          { head: 'In the file', class: 'number mark', cell: ({ order }) => <Money {...order} /> },
          { head: 'Here', class: 'number value', cell: ({ here }) => <Money {...here} /> },
        ]}
        rows={different}
      />
      <List
        id="only-here"
        title="Only here"
        about={advice.onlyHere}
        count={outcome.onlyHere}
        columns={[
          { head: 'Order', class: 'title long', isName: true, cell: (here) => <OrderLink order={here} /> },
          { head: 'Amount', class: 'number value', cell: (here) => <Money {...here} /> },
          { head: 'Date', class: 'number time', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        rows={onlyHere}
      />
      <Reasons id="unread" title="Rows that were not read" list={unread} count={outcome.unread} />
      <Reasons
        id="not-stored"
        title="Missing orders that cannot be stored"
        list={notStored}
        count={outcome.missing - storable}
      />
    </>
  );
}

function OrderLink({ order }: { order: ComparedOrder }) {
  const { link } = useConsole();
  return (
    <a href={link(`/orders/${encodeId('ord', order.id)}`)} class="name">
      <bdi>{order.orderId ?? order.orderNumber}</bdi>
    </a>
  );
}

function Money({ amount, currency }: { amount: string | null; currency: string | null }) {
  const { viewer } = useConsole();
  if (amount === null) return <>–</>;
  return (
    <>
      {currency === null
        ? formatNumber(amount as `${number}`, viewer)
        : formatMoney(amount, currency, viewer)}
    </>
  );
}

const refundedColumn: Column<FileOrder> = {
  head: 'Refunded',
  class: 'number value',
  cell: ({ refunded, ...order }) =>
    refunded === 'some' ? (
      'a part'
    ) : (
      <Money {...order} amount={refunded === 'all' ? order.amount : refunded} />
    ),
};

/** Formats the date of an order in a file. A whole day has no time. */
function formatDate({ createdMs, dayEndMs }: FileOrder, viewer: Viewer): string {
  if (createdMs === null) return '–';
  const time = new Date(createdMs);
  if (dayEndMs === null) return formatTime(time, viewer);
  const day = dayOf(time, viewer.zone);
  return formatDays(day, day);
}
