import type { LineItem } from '@orderbeacon/sdk/contract';
import type { Handler } from 'hono';
import { displayDomain } from '../teams/domains.js';
import { ApiError } from '../values/errors.js';
import { decodeId, encodeId } from '../values/ids.js';
import { basePath, type ConsoleDeps, type ConsoleEnv } from './context.js';
import { Fact } from './fact.js';
import { formatMoney, formatTime } from './format.js';
import { Page } from './layout.js';
import type { Reader } from './reader.js';
import { replyPage } from './replyPage.js';
import { Scroll } from './scroll.js';
import { findShownOrder, type ShownOrderRow } from './sql/shownOrders.js';

/** `GET /console/orders/:id`: everything that is stored of one order. */
export function getOrder({ ask, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getOrder(c) {
    const session = c.get('session');
    const reader = c.get('reader');
    const id = decodeId('ord', c.req.param('id')!);
    const order = id && (await ask((sql) => findShownOrder(sql, session.teamId, id)));
    if (!order) throw new ApiError('not_found', { message: 'No order of this team has that id.' });
    const base = basePath(publicUrl());
    return replyPage(
      c,
      200,
      <Page title={order.orderNumber} here="Orders" base={base} session={session} zone={reader.zone}>
        <h1>
          {order.orderNumber} {order.isTest && <span class="badge">test</span>}
        </h1>
        <Fields order={order} reader={reader} />
        <Items items={order.items} />
      </Page>,
    );
  };
}

function Fields({ order, reader }: { order: ShownOrderRow; reader: Reader }) {
  return (
    <dl class="fields">
      <Fact name="Amount">{formatMoney(order.amount, order.currency, reader)}</Fact>
      <Fact name="Reported">
        {formatTime(order.createdAt, reader)}, {reportedWords(order)}
      </Fact>
      {order.mergedAt && <Fact name="Reported again">{formatTime(order.mergedAt, reader)}</Fact>}
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

/** The fields of a line item that have a column; others stand behind them as they were sent. */
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
