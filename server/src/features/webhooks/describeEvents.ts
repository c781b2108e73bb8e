import { exampleEnrollment } from '../../api/enrollPerson.js';
import { examplePlacedOrder } from '../../api/examples.js';
import type { DescribeEvents } from '../../http/operation.js';
import { exampleEmail } from '../../values/examples.js';

/** Describes the events of orders and people, and the test event. */
export const describeHookEvents: DescribeEvents = (ids) => ({
  'order.created': {
    schema: 'OrderEvent',
    summary: 'An order was stored',
    data: { ...examplePlacedOrder, paymentStatus: 'PAID', refundedAmount: 0, refunds: [] },
  },
  'order.changed': {
    schema: 'OrderEvent',
    summary: 'A later report has changed an order',
    data: examplePlacedOrder,
  },
  'order.merged': {
    schema: 'MergedOrderEvent',
    summary: 'Two orders turned out to be one',
    data: { ...examplePlacedOrder, mergedId: 'ord_01kaefr2cd9q4t6m2w8z1v7k3h' },
  },
  'order.refunded': {
    schema: 'OrderEvent',
    summary: 'An order was refunded, all or in part',
    data: examplePlacedOrder,
  },
  'enrollment.created': {
    schema: 'EnrollmentEvent',
    summary: 'A person was enrolled in a sequence',
    data: { ...exampleEnrollment(ids), email: exampleEmail },
  },
  'hook.test': {
    schema: 'TestEvent',
    summary: 'An owner tries the webhook',
    data: { message: 'This is a test by Orderbeacon. Nothing has happened.' },
  },
});
