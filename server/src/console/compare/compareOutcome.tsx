import type { ComparedOrder } from '../../compare/comparedOrders.js';
import { type Comparison, isNonePaid, isSame } from '../../compare/comparison.js';
import type { FileOrder, Unread } from '../../compare/fileOrders.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { dayOf } from '../overview/calendar.js';
import { Scroll } from '../parts/elements.js';
import { Form } from '../parts/form.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';
import { formatDays, formatTime } from '../parts/formatTime.js';
import type { Viewer } from '../parts/viewer.js';
import type { CompareChoices } from './compareForm.js';
import { type ShownComparison, type StoredMissing, shownAtMost } from './compareUpload.js';

/** The differences between a file and the stored orders, with the button that stores the missing ones. */
export function Outcome({ shown, chosen }: { shown: ShownComparison; chosen: CompareChoices }) {
  const { viewer } = useConsole();
  const { comparison, missing, different, onlyHere, unread, notStored, unstorable, storable, sealed } = shown;
  const left = comparison.missing - storable - unstorable;
  return (
    <>
      <p role="status" class={`notice ${isSame(comparison) && !isNonePaid(comparison) ? 'good' : 'bad'}`}>
        {describe(comparison, (count) => formatNumber(count, viewer)).join(' ')}
      </p>
      {storable > 0 && (
        <Form action="/compare/store">
          <input type="hidden" name="orders" value={sealed} />
          {Object.entries(chosen).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <p>
            Missing orders are stored at their own dates, as if your backend had reported them. Each counts
            once.
            {left > 0 &&
              ` This page can store ${formatNumber(storable, viewer)} of them. Compare the file again afterwards for the rest.`}
          </p>
          <button type="submit">
            {storable === 1
              ? 'Store the missing order'
              : `Store ${formatNumber(storable, viewer)} missing orders`}
          </button>
        </Form>
      )}
      <List
        id="missing"
        title="Missing here"
        count={comparison.missing}
        heads={['Order id', 'Amount', 'Buyer', 'Date']}
      >
        {missing.map((order) => (
          <tr>
            <th scope="row" class="long">
              <bdi>{order.orderId}</bdi>
            </th>
            <td>
              <Money {...order} />
            </td>
            <td class="long">
              <bdi>{order.email?.slice(0, 254) ?? '–'}</bdi>
            </td>
            <td>{formatDate(order, viewer)}</td>
          </tr>
        ))}
      </List>
      <List
        id="different"
        title="Different"
        count={comparison.different}
        heads={['Order', 'In the file', 'Here']}
      >
        {different.map(({ order, here }) => (
          <tr>
            <th scope="row" class="long">
              <OrderLink order={here} />
            </th>
            <td>
              <Money {...order} />
            </td>
            <td>
              <Money {...here} />
            </td>
          </tr>
        ))}
      </List>
      <List id="only-here" title="Only here" count={comparison.onlyHere} heads={['Order', 'Amount', 'Date']}>
        {onlyHere.map((here) => (
          <tr>
            <th scope="row" class="long">
              <OrderLink order={here} />
            </th>
            <td>
              <Money {...here} />
            </td>
            <td>{formatTime(here.createdAt, viewer)}</td>
          </tr>
        ))}
      </List>
      <Reasons id="unread" title="Rows that were not read" list={unread} count={comparison.unread} />
      <Reasons
        id="not-stored"
        title="Missing orders that cannot be stored"
        list={notStored}
        count={unstorable}
      />
    </>
  );
}

/** The outcome of storing the missing orders. */
export function Stored({ stored, notStored, left }: StoredMissing) {
  const { viewer } = useConsole();
  const count = (number: number, one: string, many: string) =>
    number === 0 ? '' : `${formatNumber(number, viewer)} ${number === 1 ? one : many} `;
  const isAllDone = left === 0 && notStored.length === 0;
  return (
    <>
      <p role="status" class={`notice ${isAllDone ? 'good' : 'bad'}`}>
        {count(stored, 'order is stored.', 'orders are stored.')}
        {count(notStored.length, 'was refused.', 'were refused.')}
        {count(left, 'is left: compare the file again.', 'are left: compare the file again.')}
      </p>
      <Reasons id="refused" title="Refused" list={notStored.slice(0, shownAtMost)} count={notStored.length} />
    </>
  );
}

/** One kind of differences: a heading, and a table of the first ones. Renders nothing without any. */
function List({
  id,
  title,
  count,
  heads,
  children,
}: {
  id: string;
  title: string;
  count: number;
  heads: readonly string[];
  children: unknown[];
}) {
  const { viewer } = useConsole();
  if (children.length === 0) return null;
  return (
    <section>
      <h2 id={id}>
        {title} ({formatNumber(count, viewer)})
      </h2>
      <Scroll labelledBy={id}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </Scroll>
      {count > children.length && (
        <p>
          These are the first {formatNumber(children.length, viewer)}. The command <code>order compare</code>{' '}
          lists all of them.
        </p>
      )}
    </section>
  );
}

function Reasons({ id, title, list, count }: { id: string; title: string; list: Unread[]; count: number }) {
  const { viewer } = useConsole();
  return (
    <List id={id} title={title} count={count} heads={['Line', 'Order id', 'Reason']}>
      {list.map(({ line, orderId, message }) => (
        <tr>
          <th scope="row">{formatNumber(line, viewer)}</th>
          <td class="long">
            <bdi>{orderId ?? '–'}</bdi>
          </td>
          <td class="long">
            <bdi>{message}</bdi>
          </td>
        </tr>
      ))}
    </List>
  );
}

function OrderLink({ order }: { order: ComparedOrder }) {
  const { home } = useConsole();
  return (
    <a href={`${home}/orders/${encodeId('ord', order.id)}`}>
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

/** The date of an order in a file. A day has no time, and is the same one in every zone. */
function formatDate({ createdMs, isDay }: FileOrder, viewer: Viewer): string {
  if (createdMs === null) return '–';
  const time = new Date(createdMs);
  if (!isDay) return formatTime(time, viewer);
  const day = dayOf(time, 'UTC');
  return formatDays(day, day, viewer);
}

/** The sentences that sum a comparison up. */
function describe(comparison: Comparison, write: (count: number) => string): string[] {
  const { format, orders, equal, missing, different, onlyHere, unread, otherMode, otherIds } = comparison;
  const unpaid = Object.entries(comparison.unpaid).map(([status, count]) => `${write(count)} ${status}`);
  const sentences = [
    `${write(orders)} paid ${orders === 1 ? 'order' : 'orders'}${format ? ` (${format})` : ''}: ${write(equal)} equal, ${write(missing)} missing here, ${write(different)} different.`,
    `${write(onlyHere)} only here.`,
    unread > 0 && `${write(unread)} ${unread === 1 ? 'row' : 'rows'} not read.`,
    unpaid.length > 0 && `Left out as not paid: ${unpaid.join(', ')}.`,
    isNonePaid(comparison) &&
      'No row counts as paid, so nothing was compared. If one of these words means paid, use the command order compare with --paid.',
    otherMode > 0 && `Left out as orders of the other mode, live or test: ${write(otherMode)}.`,
    !comparison.comparesAmounts && 'Amounts were not compared, because this export has no totals.',
    comparison.comparesAmounts &&
      !comparison.comparesCurrencies &&
      'Currencies were not compared, because the file has none.',
    otherIds &&
      `No order of the file is stored, and others are. The ids differ: “${otherIds.inFile}” in the file, “${otherIds.here}” here. Name the column that has the ids of your pages.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string');
}
