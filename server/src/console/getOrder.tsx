import type { LineItem } from '@orderbeacon/sdk/contract';
import type { Handler } from 'hono';
import { displayDomain } from '../teams/domains.js';
import { ApiError } from '../values/errors.js';
import { decodeId, encodeId } from '../values/ids.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from './context.js';
import { Fact, Scroll } from './elements.js';
import { formatMoney, formatTime } from './format.js';
import { renderPage } from './layout.js';
import { findShownOrder, type ShownOrderRow, type WholeOrderRow } from './sql/shownOrders.js';
import { tellWay } from './wayWords.js';

/** `GET /console/orders/:id`: everything that is stored of one order. */
export function getOrder({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrder(c) {
    const id = decodeId('ord', c.req.param('id')!);
    const order = id && (await ask((sql) => findShownOrder(sql, c.var.session.teamId, id)));
    if (!order) throw new ApiError('not_found', { message: 'No order of this team has that id.' });
    return renderPage(
      c,
      <>
        <h1>
          {order.orderNumber} {order.isTest && <span class="badge">test</span>}
        </h1>
        <Fields order={order} />
        <Items items={order.items} />
        <OtherFields fields={order.extra} />
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
      <Fact name="Reported">
        {formatTime(order.createdAt, viewer)}, {reportedWords(order)}
      </Fact>
      {order.mergedAt && <Fact name="Reported again">{formatTime(order.mergedAt, viewer)}</Fact>}
      <Fact name="Came from">{tellWay(order, viewer)}</Fact>
      <Fact name="First page">{order.firstTouch?.path}</Fact>
      <Fact name="Your order id">{order.orderId}</Fact>
      <Fact name="Buyer">{order.email ?? (order.name === null ? 'erased' : null)}</Fact>
      <Fact name="Name">{order.name}</Fact>
      <Fact name="Paid by">{order.source}</Fact>
      <Fact name="Visitor">{order.visitorId}</Fact>
      <Fact name="Report id">{order.reportId}</Fact>
      <Fact name="Idempotency-Key">{order.idempotencyKey}</Fact>
      <Fact name="Person">{encodeId('ppl', order.personId)}</Fact>
      <Fact name="Order">{encodeId('ord', order.id)}</Fact>
    </dl>
  );
}

function reportedWords({ reportedBy, host }: ShownOrderRow): string {
  const page = host === null ? 'a page' : `a page of ${displayDomain(host)}`;
  if (reportedBy === 'key') return 'by a backend with an API key';
  return reportedBy === 'browser' ? `by ${page}` : `by ${page} and by a backend with an API key`;
}

/** The fields of a line item that have a column. Others follow as they were sent. */
const itemColumns = ['sku', 'name', 'variant', 'category', 'quantity', 'price'] as const;

function Items({ items }: { items: LineItem[] | null }) {
  if (items === null || items.length === 0) return null;
  return (
    <section>
      <h2 id="items">Items</h2>
      <Scroll labelledBy="items">
        <table>
          <thead>
            <tr>
              {itemColumns.map((name) => (
                <th scope="col">{name}</th>
              ))}
              <th scope="col">more</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => {
              const rest = Object.entries(item).filter(
                ([name]) => !itemColumns.some((known) => known === name),
              );
              return (
                <tr>
                  {itemColumns.map((name) => (
                    <td class="long">
                      <bdi>{item[name]}</bdi>
                    </td>
                  ))}
                  <td class="long">
                    {rest.length > 0 && <code>{JSON.stringify(Object.fromEntries(rest))}</code>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** Fields that the contract does not name, as they were sent. */
function OtherFields({ fields }: { fields: WholeOrderRow['extra'] }) {
  if (fields === null) return null;
  return (
    <section>
      <h2>Other fields</h2>
      <dl class="fields">
        {Object.entries(fields).map(([name, value]) => (
          <div>
            <dt class="long">
              <bdi>{name}</bdi>
            </dt>
            <dd class="long">
              <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
