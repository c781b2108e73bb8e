import type { OrderReport } from '@orderbeacon/sdk/contract';
import { dayMs, hourMs } from '../values/timeUnits.js';

const days = 30;

/** An order of the sample month. */
export interface SampleOrder {
  report: Omit<OrderReport, 'teamId'>;
  /** Reporters of the order: its page, a backend, or both. */
  by: 'page' | 'backend' | 'both';
  createdMs: number;
  /** The money that was refunded of it. */
  refund: { amount: number; reason: string } | null;
}

/** A report of the sample month that was refused: the body, without the team, that a page sent. */
export interface SampleRefusal {
  host: string;
  body: Record<string, unknown>;
  receivedMs: number;
}

const names = ['Ann', 'Ben', 'Chloe', 'David', 'Emma', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jack', 'Kim'];
const products = [
  { sku: 'TEE-M', name: 'T-shirt, size M', price: 24.95 },
  { sku: 'MUG', name: 'Mug', price: 12 },
  { sku: 'POT', name: 'Teapot', price: 39.5 },
  { sku: 'TEA', name: 'Green tea', price: 9.9 },
];
/** Orders of each day of a week. */
const ordersOfDay = [6, 10, 11, 8, 9, 13, 7];
/** Referrer and campaign parameters of landings, in the form in which the script sends them. Null for an unknown one. */
const ways = [
  'undefined ?utm_source=newsletter,&utm_medium=email,&utm_campaign=spring',
  'www.google.com ?gclid=',
  'undefined ',
  'l.instagram.com ?utm_source=instagram,&utm_medium=social,&utm_campaign=launch',
  'duckduckgo.com ',
  null,
];

/**
 * Makes a month of orders that ends now. All is the same in each call but for the times, which follow from `nowMs`. The
 * order ids begin with `SAMPLE-`, and the extra field `sample` is true.
 */
export function makeSampleOrders(nowMs: number): SampleOrder[] {
  const orders: SampleOrder[] = [];
  for (let day = days - 1; day >= 0; day--) {
    const count = ordersOfDay[day % 7]! - Math.floor(day / 10);
    for (let n = 0; n < count; n++) {
      const createdMs = Math.floor(nowMs - dayMs * (day + (count - n - 0.5) / count));
      orders.push(makeOrder(orders.length + 1, createdMs));
    }
  }
  return orders;
}

function makeOrder(number: number, createdMs: number): SampleOrder {
  const product = products[number % products.length]!;
  const quantity = 1 + (number % 3);
  const amount = Math.round(product.price * quantity * 100) / 100;
  const buyer = (number * 37) % 83;
  const way = ways[((number * 5) % 7) % ways.length]!;
  const by = number % 10 === 7 ? 'backend' : number % 3 === 0 ? 'both' : 'page';
  const report = {
    orderId: `SAMPLE-${number}`,
    email: `buyer${buyer}@sample.example`,
    name: `${names[buyer % names.length]} Sample`,
    amount,
    currency: number % 11 === 0 ? 'EUR' : 'USD',
    source: number % 4 === 0 ? ('PAYPAL' as const) : ('STRIPE' as const),
    items: [{ ...product, quantity }],
    sample: true,
    ...(by !== 'backend' && { visitorId: `sample-${buyer}` }),
    ...(by !== 'backend' && way !== null && { landings: landingsOf(way, createdMs - (number % 9) * dayMs) }),
  };
  return { report, by, createdMs, refund: refundOf(number, amount) };
}

/** Writes a visitor's first landing, which was also the last one if it had campaign parameters. */
function landingsOf(way: string, ms: number): string {
  const landing = Buffer.from(`${ms} ${way} /tea`).toString('base64');
  return way.includes('?') ? `${landing}.${landing}` : landing;
}

function refundOf(number: number, amount: number): SampleOrder['refund'] {
  if (number % 40 === 12) return { amount, reason: 'Sent back' };
  return number % 40 === 31 ? { amount: 5, reason: 'Arrived late' } : null;
}

/** Makes reports that were refused in the last days: three of a host that is not allowed, and two with a wrong field. */
export function makeSampleRefusals(nowMs: number): SampleRefusal[] {
  const refusal = (number: number, host: string, hours: number, wrong: Record<string, unknown>) => ({
    host,
    receivedMs: Math.floor(nowMs - hours * hourMs),
    body: {
      orderId: `SAMPLE-R${number}`,
      email: `refused${number}@sample.example`,
      name: 'Rae Sample',
      amount: 20 + number * 7.5,
      currency: 'USD',
      sample: true,
      ...wrong,
    },
  });
  return [
    refusal(1, 'sale.sample.example', 70, {}),
    refusal(2, 'sale.sample.example', 46, {}),
    refusal(3, 'sale.sample.example', 5, {}),
    refusal(4, 'localhost', 30, { email: 'refused4' }),
    refusal(5, 'localhost', 3, { amount: '49,90' }),
  ];
}
