import { useConsole } from '../../../console/context.js';
import { dayOf } from '../../../console/parts/calendar.js';
import { Time } from '../../../console/parts/elements.js';
import { counted, formatDays, formatMoney, formatNumber, formatTime } from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import { encodeId } from '../../../values/ids.js';
import type { ComparedOrder } from '../comparedOrders.js';
import { judge } from '../comparison.js';
import { describeOutcome } from '../describeOutcome.js';
import type { FileOrder } from '../readRow.js';
import { areNewField, fileFormId } from './compareForm.js';
import { Id, List, Reasons } from './compareLists.js';
import { type ShownComparison, type StoredMissing, shownAtMost } from './compareUpload.js';

/** The differences between a file and the stored orders, with the button that stores the missing ones. */
export function Outcome({ shown }: { shown: ShownComparison }) {
  const { viewer, home } = useConsole();
  const { outcome, missing, different, onlyHere, unread, notStored, storable } = shown;
  const sentences = describeOutcome(outcome, {
    count: (count) => formatNumber(count, viewer),
    money: (amount, currency) =>
      currency === '' ? formatNumber(amount, viewer) : formatMoney(String(amount), currency, viewer),
    nameWords: 'tick it below',
    leaveOut: 'If it is the dates that cannot be read, leave their column out below.',
    nameIds: 'Choose the column that has the ids of your pages.',
  });
  return (
    <>
      <Notice
        role="status"
        tone={judge(outcome) === 'same' ? 'good' : 'bad'}
        actions={
          storable > 0 && (
            <button type="submit" form={fileFormId} formaction={`${home}/compare/store`}>
              {storable === 1
                ? 'Store the missing order'
                : `Store ${formatNumber(storable, viewer)} missing orders`}
            </button>
          )
        }
      >
        {sentences.join(' ')}
        {storable > 0 &&
          ` Missing orders are stored${outcome.columns.createdAt === null ? '' : ' at their own dates'}, as if your backend had reported them. Each counts once.`}
      </Notice>
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
export function Stored({ stored, notStored, left, isHeld, isInDoubt }: StoredMissing) {
  const { viewer, home } = useConsole();
  const count = (number: number, one: string, many: string) =>
    number === 0 ? '' : `${counted(number, one, viewer, many)} `;
  const isAllDone = !isHeld && left === 0 && notStored.length === 0;
  return (
    <>
      <Notice
        role="status"
        tone={isAllDone ? 'good' : 'bad'}
        actions={
          isInDoubt && (
            <button type="submit" form={fileFormId} formaction={`${home}/compare/store`} name={areNewField}>
              They are other orders: store them
            </button>
          )
        }
      >
        {isHeld && 'Nothing is stored yet, because no id of the file is known here, and other orders are. '}
        {count(stored, 'order is stored.', 'orders are stored.')}
        {count(notStored.length, 'was refused.', 'were refused.')}
        {!isHeld && count(left, 'is left: store again.', 'are left: store again.')}
      </Notice>
      <Reasons id="refused" title="Refused" list={notStored.slice(0, shownAtMost)} count={notStored.length} />
    </>
  );
}

function OrderLink({ order }: { order: ComparedOrder }) {
  const { home } = useConsole();
  return (
    <a href={`${home}/orders/${encodeId('ord', order.id)}`} class="name">
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
