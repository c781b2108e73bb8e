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
  /** Parameters of the list, by which an order's page leads back to it. */
  from?: Record<string, string | undefined>;
  /** True leaves out where orders came from. */
  isShort?: boolean;
}

/** A list of orders, one a line. Texts of buyers may be in any script and direction. */
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

/** Words for those who report beside a page. */
const speakerWords = {
  shop: { noun: 'your shop system', alone: 'Shop system only' },
  backend: { noun: 'a backend', alone: 'Backend only' },
  file: { noun: 'a file of your shop', alone: 'From a file' },
  signed: { noun: 'its signature', alone: 'Confirmed' },
} as const;

/** Says who has reported an order: in words for lists, and in a sentence; `other` is who reported it beside a page, if anybody. */
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

/** Who reported an order, if it lacks an id, and what of it was refunded. */
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

/** Describes the email of a buyer: `no email` for one that was made up, because the order has none, and `erased` without one. */
export function describeEmail(email: string | null): string {
  return email === null ? 'erased' : shownEmail(email);
}
