import type { OrderReport } from '@orderbeacon/sdk/contract';
import { dayMs } from '../../values/time.js';

const days = 30;

/** An order of the sample month, as a page would report it. */
export interface SampleOrder {
  report: Omit<OrderReport, 'teamId'> & { sample: true };
  /** Set if the backend reported it, too. */
  isConfirmed: boolean;
  createdMs: number;
  /** Its refund; null without one. */
  refund: { amount: number; reason: string } | null;
}

const names = ['Ann', 'Ben', 'Chloe', 'David', 'Emma', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jack', 'Kim'];
const products = [
  { sku: 'TEE-M', name: 'T-shirt, size M', price: 24.95 },
  { sku: 'MUG', name: 'Mug', price: 12 },
  { sku: 'POT', name: 'Teapot', price: 39.5 },
  { sku: 'TEA', name: 'Green tea', price: 9.9 },
];
/** Numbers of orders on the days of a week. */
const ordersOfDay = [6, 10, 11, 8, 9, 13, 7];
/** Referrer and campaign parameters of landings, as the script sends them. Null for an unknown landing. */
const ways = [
  'undefined ?utm_source=newsletter,&utm_medium=email,&utm_campaign=spring',
  'www.google.com ?gclid=',
  'undefined ',
  'l.instagram.com ?utm_source=instagram,&utm_medium=social,&utm_campaign=launch',
  'duckduckgo.com ',
  null,
];

/**
 * Makes a month of orders that ends now. Only the times differ between calls; they follow from `nowMs`. The order ids
 * begin with `SAMPLE-`, and the extra field `sample` is true.
 */
export function makeSampleOrders(nowMs: number): SampleOrder[] {
  const orders: SampleOrder[] = [];
  for (let day = days - 1; day >= 0; day--) {
    const count = ordersOfDay[day % 7]! - Math.floor(day / 10);
    for (let n = 0; n < count; n++) {
      const number = orders.length + 1;
      const createdMs = Math.floor(nowMs - dayMs * (day + (count - n - 0.5) / count));
      const product = products[number % products.length]!;
      const quantity = 1 + (number % 3);
      const buyer = (number * 37) % 83;
      const way = ways[((number * 5) % 7) % ways.length]!;
      orders.push({
        report: {
          orderId: `SAMPLE-${number}`,
          email: `buyer${buyer}@sample.example`,
          name: `${names[buyer % names.length]} Sample`,
          amount: Math.round(product.price * quantity * 100) / 100,
          currency: number % 11 === 0 ? 'EUR' : 'USD',
          source: number % 4 === 0 ? 'PAYPAL' : 'STRIPE',
          items: [{ ...product, quantity }],
          sample: true,
          visitorId: `sample-${buyer}`,
          ...(way !== null && { landings: landingsOf(way, createdMs - (number % 9) * dayMs) }),
        },
        isConfirmed: number % 3 === 0,
        createdMs,
        refund: number % 40 === 12 ? { amount: 5, reason: 'Arrived late' } : null,
      });
    }
  }
  return orders;
}

/** Writes a visitor's first landing. If it has campaign parameters, it is also the last one. */
function landingsOf(way: string, ms: number): string {
  const landing = Buffer.from(`${ms} ${way} /tea`).toString('base64');
  return way.includes('?') ? `${landing}.${landing}` : landing;
}
