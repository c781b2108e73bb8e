import type { Source } from '@orderbeacon/sdk/contract';
import { displayDomain } from '../../core/teams/domains.js';
import { subtractDecimals } from '../../values/decimal.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Time } from '../parts/elements.js';
import { counted, formatMoney } from '../parts/format.js';
import { PageHead, Panel } from '../parts/panel.js';
import { Facts } from '../parts/table.js';
import { Tile } from '../parts/tile.js';
import { ChangeOrder } from './changeForms.js';
import type { OrderData } from './loadOrder.js';
import { MissingId } from './missingId.js';
import { OrderItems } from './orderItems.js';
import { orderParameters } from './orderQuery.js';
import { describeEmail, describeReporters, OrderBadges } from './orderRows.js';
import { OrderTimeline } from './orderTimeline.js';
import { describeWay } from './wayWords.js';

/** Words for the source of a payment. Two sources have none, because they are the defaults of reports without a source. */
const paidBy: Partial<Record<Source, string>> = {
  STRIPE: 'Paid by Stripe',
  PAYPAL: 'Paid by PayPal',
  NOWPAYMENTS: 'Paid by NOWPayments',
  USDC_BASE: 'Paid in USDC on Base',
};

/** The content of an order's page. Texts of buyers and pages may be in any script and direction, and hostile. */
export function Order(data: OrderData) {
  const { order, list } = data;
  const { link } = useConsole();
  return (
    <>
      <PageHead
        title={
          <>
            <a href={link('/orders', orderParameters(list))}>Orders</a> /{' '}
            <bdi>{order.orderId ?? order.orderNumber}</bdi>
          </>
        }
        about={<OrderBadges order={order} />}
      >
        {order.email !== null && <a href={link('/orders', { q: order.email })}>Orders of this buyer</a>}
        <ChangeOrder {...data} />
      </PageHead>
      <MissingId order={order} />
      <Money {...data} />
      <div class="split">
        <Panel id="timeline" title="Timeline">
          <OrderTimeline {...data} />
        </Panel>
        <OrderFacts {...data} />
      </div>
      <OrderItems order={order} />
    </>
  );
}

function Money({ order, refunds }: OrderData) {
  const { viewer } = useConsole();
  const money = (amount: string) => formatMoney(amount, order.currency, viewer);
  const last = refunds.at(-1);
  const email = describeEmail(order.email);
  return (
    <section class="panel" aria-label="Money">
      <div class="tiles">
        <Tile name="Amount" figure={money(order.amount)} about={paidBy[order.source]} />
        <Tile
          name="Refunded"
          figure={money(order.refunded)}
          about={
            last ? (
              <>
                {counted(refunds.length, 'refund', viewer)}, <Time at={last.createdAt} />
              </>
            ) : (
              'No refunds'
            )
          }
        />
        <Tile
          name="Left"
          figure={money(subtractDecimals(order.amount, order.refunded))}
          about="Counts as net"
        />
        <Tile
          name="Buyer"
          figure={<bdi>{order.name ?? email}</bdi>}
          about={<bdi>{order.name === null ? null : email}</bdi>}
        />
      </div>
    </section>
  );
}

function OrderFacts({ order }: OrderData) {
  const { viewer, link } = useConsole();
  return (
    <Panel id="facts" title="Facts">
      <Facts
        facts={{
          Number: order.orderNumber,
          'Your order id': order.orderId && (
            <>
              <bdi>{order.orderId}</bdi>
              {order.sharesIdWith !== null && (
                <>
                  . <a href={link('/orders', { q: order.sharesIdWith })}>{order.sharesIdWith}</a> has the same
                  id, and is another order.
                </>
              )}
            </>
          ),
          'Reported by': describeReporters(order).by,
          Page: order.host === null ? null : displayDomain(order.host),
          'Came from': describeWay(order, viewer),
        }}
      />
      <details>
        <summary>Technical ids</summary>
        <Facts
          facts={{
            Order: encodeId('ord', order.id),
            Person: encodeId('ppl', order.personId),
            Source: order.source,
            Visitor: order.visitorId,
            'Report id': order.reportId,
            Keys: order.keys.join(', ') || null,
          }}
        />
      </details>
      {order.extra && (
        <details>
          <summary>Other fields, as they were sent</summary>
          <Facts
            facts={Object.fromEntries(
              Object.entries(order.extra).map(([name, value]) => [
                name,
                typeof value === 'string' ? value : JSON.stringify(value),
              ]),
            )}
          />
        </details>
      )}
    </Panel>
  );
}
