import { fieldMeantBy } from '../../core/orders/receive/extraFields.js';
import { Guide } from '../parts/guide.js';
import { Notice } from '../parts/panel.js';
import type { OrderData } from './loadOrder.js';

/** Explains why an order has no order id, if its report has a field that was probably meant as one. */
export function MissingId({ order: { orderId, extra } }: Pick<OrderData, 'order'>) {
  const [name, sent] =
    Object.entries(extra ?? {}).find(([name]) => name === 'orderId' || fieldMeantBy(name) === 'orderId') ??
    [];
  if (orderId !== null || name === undefined) return null;
  const value = (
    <code>
      <bdi>{typeof sent === 'string' ? sent : JSON.stringify(sent)}</bdi>
    </code>
  );
  const [stated, fix] =
    name === 'orderId'
      ? [
          <>{value}: a template that your shop did not fill in, or an empty value.</>,
          'print the id of the order there.',
        ]
      : [
          <>
            <code>
              <bdi>{name}</bdi>
            </code>{' '}
            {value}, and that name does not count.
          </>,
          <>
            call it <code>orderId</code>.
          </>,
        ];
  return (
    <Notice tone="bad">
      This order has no order id of yours. The page sent {stated} So a reloaded page counts as another order,
      and a report of your backend too. Fix: {fix}{' '}
      <Guide to="merchants#what-can-go-wrong">How to give every order its id</Guide>
    </Notice>
  );
}
