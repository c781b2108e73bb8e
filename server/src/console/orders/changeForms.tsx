import { subtractDecimals } from '../../values/decimal.js';
import { encodeId, newUuid } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { writeAmount } from '../parts/amounts.js';
import { plainText } from '../parts/elements.js';
import { Confirm, Form, Menu } from '../parts/form.js';
import { Guide } from '../parts/guide.js';
import type { OrderData } from './loadOrder.js';

/** The forms that change an order, filled with its values. */
export function ChangeOrder({ order }: OrderData) {
  const { guides, session, viewer } = useConsole();
  if (session.isReadOnly) return null;
  const path = `/orders/${encodeId('ord', order.id)}`;
  const left = subtractDecimals(order.amount, order.refunded);
  const name = order.orderId ?? order.orderNumber;
  return (
    <>
      <Menu title={Number(left) > 0 ? 'Refund' : 'For developers'} isAtEnd>
        {Number(left) > 0 && (
          <li>
            <Form action={`${path}/refund`} class="stack">
              <strong>Record a refund</strong>
              <p class="muted">Give the money back in your payment system. This form only records it.</p>
              <input type="hidden" name="refund" value={`console-${newUuid()}`} />
              <label>
                Amount in {order.currency}
                <input
                  name="amount"
                  inputmode="decimal"
                  required
                  value={writeAmount(left, order.currency, viewer.locale)}
                  {...plainText}
                />
              </label>
              <label>
                Reason
                <input name="reason" maxlength={255} autocomplete="off" />
              </label>
              <label>
                <input type="checkbox" name="sure" value="yes" required /> The money is given back. A record
                can’t be undone here.
              </label>
              <button type="submit">Record the refund</button>
            </Form>
          </li>
        )}
        <li>
          <strong>For developers</strong>
          <p class="muted">
            A backend corrects an order that a page reported by reporting it again with a key and the same
            order id. It reports refunds, too.
          </p>
        </li>
        {guides !== null && (
          <>
            <li>
              <Guide to="how-orders-become-one">Which report counts</Guide>
            </li>
            <li>
              <Guide to="refunds">Refunds by a key</Guide>
            </li>
          </>
        )}
      </Menu>
      {(order.isTest || order.reportedBy === 'browser') && (
        <Confirm
          to={`${path}/discard`}
          title="Discard"
          text={`${order.isTest ? 'This test order' : 'This order, which only a page has reported,'} will not count any more. This can’t be undone.`}
          label={`Discard ${name} permanently`}
        >
          Discard permanently
        </Confirm>
      )}
    </>
  );
}
