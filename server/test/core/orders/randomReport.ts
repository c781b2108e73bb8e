import { landing } from '../../kit/anOrder.js';
import type { Random } from '../../kit/random.js';

/** A report to send. */
interface SentReport {
  body: Record<string, unknown>;
  headers: Record<string, string>;
  by: 'page' | 'key';
  isTest: boolean;
}

const emails = ['ann@mail.example', 'bob@mail.example', 'eve@mail.example'];

/** Writes the landings of a report. */
const writeLandings = (sources: readonly (string | null)[]): string =>
  sources.map((source) => source && landing({ parameters: `?utm_source=${source}` })).join('.');

/** Makes a report with few buyers, ids and keys, so that most reports meet. */
export function randomReport({ below, pick }: Random): SentReport {
  const by = pick('page', 'key');
  const isTest = below(5) === 0;
  const email = pick(...emails, emails[0]!);
  const ownId = pick(null, 'k', 'k', 'l', 'm');
  const orderId = pick(ownId === null ? 'y' : null, 'x', 'x', 'y', 'z');
  const currency = pick(null, null, 'USD', 'EUR');
  const source = pick(null, null, 'STRIPE', 'OTHER', 'MANUAL');
  const name = pick(null, null, 'Ann', 'Other');
  const items = pick(null, null, [{ sku: 'A' }], [{ sku: 'B', quantity: 2 }]);
  const visitorId = by === 'page' ? pick(null, 'v-1', 'v-1', 'v-2') : null;
  // Most backends know no landings.
  const hasLandings = by === 'page' || below(4) === 0;
  const touches = hasLandings ? pick(null, ['news', null], ['news', 'google'], [null, 'partner']) : null;
  const isHeader = by === 'key' && below(2) === 0;
  const sent: SentReport = {
    by,
    isTest,
    headers: isHeader && ownId !== null ? { 'idempotency-key': ownId } : {},
    body: {
      email: pick(email, email, ` ${email.toUpperCase()} `),
      amount: pick(10, 10, 10, 11.5),
      ...(currency && { currency: pick(currency, currency.toLowerCase()) }),
      ...(source && { source: pick(source, source.toLowerCase()) }),
      ...(orderId && { orderId: pick(orderId, orderId, ` ${orderId} `) }),
      // A header counts more than a reportId in the body.
      ...(ownId && { reportId: isHeader ? 'k' : ownId }),
      // A page may send null for a missing value.
      ...(name ? { name } : by === 'page' && below(5) === 0 ? { name: null } : {}),
      ...(items && { items }),
      ...(visitorId && { visitorId }),
      ...(touches && { landings: writeLandings(touches) }),
      ...pick(null, null, { tax: 1 }, { tax: 2, gift: { notes: [true] } }),
    },
  };
  const odd = below(40);
  if (odd === 0) return { ...sent, body: { ...sent.body, amount: -1 } };
  if (odd === 1 && by === 'page') return { ...sent, headers: { origin: 'https://other.example' } };
  if (odd === 2 && by === 'key') return { ...sent, headers: { authorization: 'Bearer ob_live_none' } };
  return sent;
}
