import { type Arrival, type History, live } from './history.js';
import type { Message, ShopKind } from './simulatedShop.js';

/** Describes a history: a line for each step, and one for each message in the order of arrival. */
export function describeHistory(kind: ShopKind, history: History, startMs: number): string {
  const { habits, together, steps } = history;
  const { arrivals, endS } = live(kind, history, startMs);
  const lines = steps.map(({ turn, order, afterS, luck, arrivals }) => {
    const odd = arrivals.flatMap((delays, number) =>
      `${delays}` === '0'
        ? []
        : [`message ${number} ${delays.length === 0 ? 'lost' : `after ${delays.join(' and ')} s`}`],
    );
    return [`  ${afterS} s later: order ${order} ${turn} (luck ${luck})`, ...odd].join(', ');
  });
  const before = arrivals.filter(({ atS }) => atS <= endS).map(describeArrival);
  const after = arrivals.filter(({ atS }) => atS > endS).map(describeArrival);
  const arrived = [...before, '  the shop is asked', ...after];
  return [`habits ${habits}, ${together} together`, ...lines, 'what arrives:', ...arrived].join('\n');
}

function describeArrival({ message }: Arrival): string {
  const [name, stated] = partsOf(message);
  const words = Object.entries(stated).flatMap(([field, value]) => {
    if (!events.has(field) || value === null || value === undefined) return [];
    const text = JSON.stringify(value);
    return text === '[]' || text === '{}' ? [] : [`${field} ${text}`];
  });
  return `  ${name}: ${words.join(', ')}`;
}

function partsOf(message: Message): [name: string, said: Record<string, unknown>] {
  if (message.by !== 'webhook') {
    const { report, idempotencyKey, calledMs } = message;
    return [message.by, { ...report, idempotencyKey, called: new Date(calledMs).toISOString() }];
  }
  const { topic, payload } = message;
  if (topic !== null) return [topic, payload];
  const { type, created, data } = payload as { type: string; created: number; data: { object: object } };
  return [`${type} of ${created}`, { ...data.object }];
}

/** Fields that distinguish histories. */
const events = new Set(
  [
    'id order_id parent_id number status total billing date_modified_gmt date_paid_gmt refunds',
    'email financial_status total_price current_total_price total_outstanding updated_at cancelled_at transactions',
    'object amount amount_total amount_paid billing_details customer_details customer_email metadata',
    'payment_intent charge invoice payment payment_status reason',
    'orderId shopOrderId currency idempotencyKey called',
  ].flatMap((names) => names.split(' ')),
);
