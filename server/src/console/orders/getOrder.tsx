import type { Handler } from 'hono';
import { listDeliveriesOf } from '../../hooks/sql/delivery.js';
import { listHooks } from '../../hooks/sql/hook.js';
import { settleOrder } from '../../orders/settleRefunds.js';
import { hasRefunds, listRefunds } from '../../orders/sql/listRefunds.js';
import { listRefusedOfOrder } from '../../refused/sql/listRefused.js';
import { displayDomain } from '../../teams/domains.js';
import { findEntries } from '../../teams/sql/domain.js';
import { subtractDecimals } from '../../values/decimal.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { shownEmail } from '../../values/madeUpEmail.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { NoOrderId } from '../overview/noOrderId.js';
import { BackToOrders, Fact, Time } from '../parts/elements.js';
import { formatMoney } from '../parts/formatNumber.js';
import { renderPage } from '../parts/layout.js';
import { findShownOrder, type ShownOrderRow, type WholeOrderRow } from '../sql/shownOrders.js';
import { CorrectOrder } from './correctOrder.js';
import { OrderDeliveries } from './orderDeliveries.js';
import { OrderItems, OtherFields } from './orderItems.js';
import { orderParameters, readOrderQuery } from './orderQuery.js';
import { OrderRefunds } from './orderRefunds.js';
import { RefundedMark } from './orderRows.js';
import { OrderStory } from './orderStory.js';
import { tellWay } from './wayWords.js';

/** `GET /console/orders/:id`: everything that is stored of one order. */
export function getOrder({ ask, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrder(c) {
    const { session, viewer } = c.var;
    const id = decodeId('ord', c.req.param('id')!);
    if (id) await ask(session.teamId, (sql) => settleOrder(sql, session.teamId, id));
    const order = id && (await ask(session.teamId, (sql) => findShownOrder(sql, session.teamId, id)));
    if (!order) throw new ApiError('not_found', { message: 'No order of this team has that id.' });
    const refunds = await ask(session.teamId, (sql) => listRefunds(sql, session.teamId, id));
    const isRefundShown =
      refunds.length > 0 || (await ask(session.teamId, (sql) => hasRefunds(sql, session.teamId)));
    const { orderId, reportId } = order;
    const [refused, deliveries, hooks, domains] = await Promise.all([
      ask(session.teamId, (sql) => listRefusedOfOrder(sql, session.teamId, { orderId, reportId })),
      ask(session.teamId, (sql) => listDeliveriesOf(sql, session.teamId, id)),
      ask(session.teamId, (sql) => listHooks(sql, session.teamId)),
      ask(session.teamId, (sql) => findEntries(sql, session.teamId)),
    ]);
    const query = readOrderQuery(c.req.query(), viewer);
    const teamId = encodeId('team', session.teamId);
    return renderPage(
      c,
      <>
        <BackToOrders parameters={orderParameters(query)} />
        <h1>
          {order.orderNumber} {order.isTest && <span class="badge">test</span>} <RefundedMark order={order} />
        </h1>
        <NoOrderId order={order} />
        <Fields order={order} />
        {isRefundShown && <OrderRefunds order={order} refunds={refunds} publicUrl={publicUrl()} />}
        <OrderItems items={order.items} />
        <OtherFields fields={order.extra} />
        <OrderStory order={order} refused={refused} domains={domains} />
        <OrderDeliveries deliveries={deliveries} hooks={hooks} />
        <CorrectOrder order={order} teamId={teamId} publicUrl={publicUrl()} />
        <TechnicalDetails order={order} />
      </>,
      { title: order.orderNumber, here: 'Orders' },
    );
  };
}

function Fields({ order }: { order: WholeOrderRow }) {
  const { viewer } = useConsole();
  return (
    <dl class="fields">
      <Fact name="Amount">{formatMoney(order.amount, order.currency, viewer)}</Fact>
      {Number(order.refunded) > 0 && (
        <>
          <Fact name="Refunded">{formatMoney(order.refunded, order.currency, viewer)}</Fact>
          <Fact name="Left">
            {formatMoney(subtractDecimals(order.amount, order.refunded), order.currency, viewer)}
          </Fact>
        </>
      )}
      <Fact name="Reported">
        <Time at={order.createdAt} />, {reportedWords(order)}
      </Fact>
      {order.mergedAt && (
        <Fact name="Reported again">
          <Time at={order.mergedAt} />
        </Fact>
      )}
      <Fact name="Came from">{tellWay(order, viewer)}</Fact>
      <Fact name="Your order id">
        {order.orderId}
        {order.sharesIdWith && `, the same order id as ${order.sharesIdWith}, which is another payment`}
      </Fact>
      <Fact name="Buyer">
        {order.email === null ? order.name === null && 'erased' : shownEmail(order.email)}
      </Fact>
      <Fact name="Name">{order.name}</Fact>
      <Fact name="Paid by">{order.source}</Fact>
    </dl>
  );
}

/** Long ids, which only programs and those who run them read. */
function TechnicalDetails({ order }: { order: WholeOrderRow }) {
  return (
    <details>
      <summary>Technical details</summary>
      <dl class="fields">
        <Fact name="Order">{encodeId('ord', order.id)}</Fact>
        <Fact name="Person">{encodeId('ppl', order.personId)}</Fact>
        <Fact name="Visitor">{order.visitorId}</Fact>
        <Fact name="Report id">{order.reportId}</Fact>
        <Fact name="Keys">{order.keys.join(', ')}</Fact>
      </dl>
    </details>
  );
}

function reportedWords({ reportedBy, host }: ShownOrderRow): string {
  const page = host === null ? 'a page' : `a page of ${displayDomain(host)}`;
  if (reportedBy === 'key') return 'by a backend with an API key';
  return reportedBy === 'browser' ? `by ${page}` : `by ${page} and by a backend with an API key`;
}
