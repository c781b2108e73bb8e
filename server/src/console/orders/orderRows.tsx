import { refundState } from '../../core/orders/payment.js';
import { shownEmail } from '../../values/email.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Time } from '../parts/elements.js';
import { formatMoney } from '../parts/format.js';
import { Badge } from '../parts/panel.js';
import { type Column, Table } from '../parts/table.js';
import type { ShownOrderRow } from '../sql/shownOrders.js';

interface OrderTableProps {
  orders: readonly ShownOrderRow[];
  /** Parameters of the list, for the link from an order's page back to it. */
  from?: Record<string, string | undefined>;
  /** Leaves out the column with the origin of orders. */
  isShort?: boolean;
}

/** A list of orders, one per row. Texts of buyers may be in any script and direction. */
export function OrderTable({ orders, from, isShort }: OrderTableProps) {
  const { link, viewer } = useConsole();
  const columns: Column<ShownOrderRow>[] = [
    {
      head: 'Order',
      class: 'note mid',
      isName: true,
      cell: ({ id, orderId, orderNumber }) => (
        <a href={link(`/orders/${encodeId('ord', id)}`, from)} class="name">
          <bdi>{orderId ?? orderNumber}</bdi>
        </a>
      ),
    },
    {
      head: 'Buyer',
      class: 'title long',
      cell: ({ name, email }) =>
        name === null ? (
          <bdi>{describeEmail(email)}</bdi>
        ) : (
          <>
            <bdi>{name}</bdi> <bdi class="muted wide">{describeEmail(email)}</bdi>
          </>
        ),
    },
    { head: 'Came from', class: 'wide mid', cell: (order) => <CameFrom order={order} /> },
    { head: 'Reported by', class: 'mark', cell: (order) => <OrderBadges order={order} /> },
    {
      head: 'Amount',
      class: 'number value',
      cell: ({ amount, currency }) => formatMoney(amount, currency, viewer),
    },
    { head: 'Time', class: 'number time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Table
      id="orders"
      columns={isShort ? columns.filter(({ head }) => head !== 'Came from') : columns}
      rows={orders}
      row={({ id, createdAt }) => ({ id: encodeId('ord', id), 'data-at': createdAt.getTime() })}
    />
  );
}

function CameFrom({ order: { firstTouch } }: { order: ShownOrderRow }) {
  if (firstTouch === null) return <span class="muted">Unknown</span>;
  const { source, referrer, campaign } = firstTouch;
  return (
    <>
      <bdi>{source ?? referrer ?? 'Direct'}</bdi> {campaign && <bdi class="muted">{campaign}</bdi>}
    </>
  );
}

/** Words for the speakers other than pages. */
const speakerWords = {
  shop: { noun: 'your shop system', alone: 'Shop system only' },
  backend: { noun: 'a backend', alone: 'Backend only' },
  file: { noun: 'a file of your shop', alone: 'From a file' },
  signed: { noun: 'its signature', alone: 'Confirmed' },
} as const;

/** Describes who reported an order: `words` for lists, `by` for sentences, and `other`, the reporter other than a page, or null. */
export function describeReporters({ reportedBy, statedBy }: Pick<ShownOrderRow, 'reportedBy' | 'statedBy'>) {
  const { noun, alone } = speakerWords[statedBy ?? 'backend'];
  if (reportedBy === 'browser') return { words: 'Browser only', by: 'a page alone', other: null };
  if (reportedBy === 'key') return { words: alone, by: `${noun} alone`, other: noun };
  return {
    words: 'Confirmed',
    by: statedBy === 'signed' ? 'a signed page' : `a page, and ${noun}`,
    other: noun,
  };
}

/** Badges of an order: its reporters, a missing order id, and its refunded money. */
export function OrderBadges({
  order,
}: {
  order: Pick<ShownOrderRow, 'reportedBy' | 'statedBy' | 'orderId' | 'amount' | 'refunded' | 'currency'>;
}) {
  const { viewer } = useConsole();
  const { reportedBy, orderId, amount, refunded, currency } = order;
  const { words, by } = describeReporters(order);
  const { paymentStatus } = refundState(amount, refunded, currency);
  return (
    <>
      <Badge tone={reportedBy === 'browser' ? undefined : 'good'} title={`Reported by ${by}`}>
        {words}
      </Badge>{' '}
      {orderId === null && <Badge tone="warn">No id</Badge>}{' '}
      {paymentStatus === 'REFUNDED' && <Badge tone="warn">Refunded</Badge>}
      {paymentStatus === 'PARTIALLY_REFUNDED' && (
        <Badge tone="warn">{formatMoney(refunded, currency, viewer)} refunded</Badge>
      )}
    </>
  );
}

/** Describes the email of a buyer: `erased` for null, and `no email` if the order has none and so one was made up. */
export function describeEmail(email: string | null): string {
  return email === null ? 'erased' : shownEmail(email);
}
