import { useConsole } from '../../../console/context.js';
import { dayOf } from '../../../console/parts/calendar.js';
import { Time } from '../../../console/parts/elements.js';
import { Action } from '../../../console/parts/form.js';
import {
  counted,
  formatDays,
  formatMoney,
  formatNumber,
  formatSince,
  formatTime,
  worldWords,
} from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import { Tile } from '../../../console/parts/tile.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import { encodeId } from '../../../values/ids.js';
import type { ComparedOrder } from '../comparedOrders.js';
import { judge, type Sums } from '../comparison.js';
import { describeReading, describeSums } from '../describeOutcome.js';
import type { FileOrder } from '../fileOrder.js';
import type { Press } from '../sql/comparePress.js';
import { areNewField, fileFormId } from './compareForm.js';
import { Id, List, Reasons } from './compareLists.js';
import { type ShownComparison, type StoredMissing, shownAtMost } from './compareUpload.js';

/** The differences between a file and the stored orders: four figures, a list of each, and the button that stores the missing ones. */
export function Outcome({ shown }: { shown: ShownComparison }) {
  const { viewer, isTest, link } = useConsole();
  const { outcome, missing, different, onlyHere, unread, notStored, storable } = shown;
  const { format, orders, sums } = outcome;
  const count = (number: number) => formatNumber(number, viewer);
  const money = (amount: number, currency: string) =>
    currency === '' ? count(amount) : formatMoney(String(amount), currency, viewer);
  const reading = describeReading(outcome, {
    count,
    nameWords: 'tick it below',
    leaveOut: 'If it is the dates that cannot be read, leave their column out below.',
    nameIds: 'Choose the column that has the ids of your pages.',
  });
  const world = worldWords(isTest);
  const figure = (name: string, number: number, id: string, bySum: Sums) => (
    <Tile
      name={name}
      figure={count(number)}
      about={describeSums(bySum, money)}
      {...(number > 0 && { href: `#${id}` })}
    />
  );
  return (
    <>
      <section class="panel" aria-label="The outcome">
        <header>
          <h2>
            <span role="status">
              {counted(orders, 'paid order', viewer)} of the file{format && ` (${format})`}, and your {world}{' '}
              orders
            </span>
          </h2>
        </header>
        <div class="tiles">
          <Tile name="Matched" figure={count(outcome.equal)} about="the same id and amount" />
          {figure('Missing here', outcome.missing, 'missing', sums.missing)}
          {figure('Different', outcome.different, 'different', sums.different)}
          {figure('Only here', outcome.onlyHere, 'only-here', sums.onlyHere)}
        </div>
        <p class="body muted">{reading.join(' ')}</p>
      </section>
      {judge(outcome) === 'same' && <Notice tone="good">Nothing is missing or different.</Notice>}
      {storable > 0 && (
        <Notice
          tone="warn"
          actions={
            <button type="submit" form={fileFormId} formaction={link('/compare/store')}>
              Store {counted(storable, `${world} order`, viewer)}
            </button>
          }
        >
          Missing orders are stored{outcome.columns.createdAt === null ? '' : ' at their own dates'} as{' '}
          {world} orders, as if your backend had reported them. Each counts once. You can take it back for a
          day.
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
          { head: 'Date', class: 'number time', cell: (order) => formatDate(order, viewer) },
        ]}
        rows={missing}
      />
      <List
        id="different"
        title="Different"
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

/** The outcome of storing the missing orders. */
export function Stored({ stored, press, notStored, left, isHeld, isInDoubt }: StoredMissing) {
  const { viewer, link, isTest } = useConsole();
  const world = worldWords(isTest);
  const count = (number: number, one: string, many: string) =>
    number === 0 ? '' : `${counted(number, one, viewer, many)} `;
  const isAllDone = !isHeld && left === 0 && notStored.length === 0;
  return (
    <>
      <Notice
        role="status"
        tone={isAllDone ? 'good' : 'bad'}
        actions={
          <>
            {isInDoubt && (
              <button type="submit" form={fileFormId} formaction={link('/compare/store')} name={areNewField}>
                They are other orders: store them
              </button>
            )}
            {press && <Undo press={press} />}
          </>
        }
      >
        {isHeld && 'Nothing is stored yet, because no id of the file is known here, and other orders are. '}
        {count(stored, `${world} order is stored.`, `${world} orders are stored.`)}
        {count(notStored.length, 'was refused.', 'were refused.')}
        {!isHeld && count(left, 'is left: store again.', 'are left: store again.')}
        {stored > 0 && <a href={link('/orders')}>See your {world} orders</a>}
      </Notice>
      <Reasons id="refused" title="Refused" list={notStored.slice(0, shownAtMost)} count={notStored.length} />
    </>
  );
}

/** What was stored from files in the last day, each with the button that takes it back. */
export function Presses({ presses }: { presses: readonly Press[] }) {
  const { viewer, isTest } = useConsole();
  return (
    <>
      {presses.map((press) => (
        <Notice actions={<Undo press={press} />}>
          {counted(
            press.orders,
            `${worldWords(isTest)} order of a file was`,
            viewer,
            `${worldWords(isTest)} orders of a file were`,
          )}{' '}
          stored {formatSince(press.storedAt, viewer.now, viewer)}. You can take it back for a day.
        </Notice>
      ))}
    </>
  );
}

function Undo({ press: { id, orders } }: { press: Press }) {
  const { viewer, isTest } = useConsole();
  return (
    <Action
      to="/compare/undo"
      fields={{ press: id }}
      isSmall
      label={`Undo: take ${counted(orders, `stored ${worldWords(isTest)} order`, viewer)} back`}
    >
      Undo
    </Action>
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

/** The date of an order in a file. A whole day has no time. */
function formatDate({ createdMs, dayEndMs }: FileOrder, viewer: Viewer): string {
  if (createdMs === null) return '–';
  const time = new Date(createdMs);
  if (dayEndMs === null) return formatTime(time, viewer);
  const day = dayOf(time, viewer.zone);
  return formatDays(day, day);
}
