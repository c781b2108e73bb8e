import { landing } from '../../kit/anOrder.js';
import type { Random } from '../../kit/random.js';

/** A report as the model reads it: texts are trimmed, and missing values are null. */
export interface ModelReport {
  by: 'page' | 'key';
  isTest: boolean;
  email: string;
  amount: number;
  currency: string | null;
  source: string | null;
  orderId: string | null;
  /** The `reportId` of a page, or the `Idempotency-Key` of a key. */
  ownId: string | null;
  name: string | null;
  items: string | null;
  visitorId: string | null;
  /** The sources of the first and the last touch. */
  touches: (string | null)[] | null;
  /** Fields that the contract does not name. */
  extra: string | null;
}

/** A report to send. */
export interface SentReport {
  body: Record<string, unknown>;
  headers: Record<string, string>;
  by: 'page' | 'key';
  isTest: boolean;
  /** Number of the server that gets it. */
  at: number;
  /** The report as the model reads it. */
  means: ModelReport;
  /** Status of the refusal. Set if the report is invalid and changes nothing. */
  status?: number;
}

const emails = ['ann@mail.example', 'bob@mail.example', 'eve@mail.example'];

/**
 * Makes a report with few buyers, ids and keys, so that most reports meet.
 * @param sent the reports before it, one of which may be sent again
 */
export function nextReport(random: Random, sent: readonly SentReport[]): SentReport {
  const before = sent[random.below(sent.length)];
  return random.below(100) < 15 && before ? sendAgain(random, before) : randomReport(random);
}

/** Sends a report again. If consent was withdrawn, the script has removed visitor and landings from a page's report. */
function sendAgain({ below }: Random, sent: SentReport): SentReport {
  const again = { ...sent, at: below(2) };
  if (sent.by === 'key' || below(2) === 0) return again;
  const { visitorId, landings, ...body } = sent.body;
  return { ...again, body, means: { ...sent.means, visitorId: null, touches: null } };
}

/** Writes the landings of a report. */
const writeLandings = (sources: readonly (string | null)[]): string =>
  sources.map((source) => source && landing({ parameters: `?utm_source=${source}` })).join('.');

/** Makes a report that a repeat can be recognized by. Other tests have the touches that an earlier order gives. */
export function randomReport({ below, pick }: Random): SentReport {
  const by = pick('page', 'key');
  const isTest = below(5) === 0;
  const email = pick(...emails, emails[0]!);
  const ownId = pick(null, 'k', 'k', 'l', 'm');
  const orderId = pick(ownId === null ? 'y' : null, 'x', 'x', 'y', 'z');
  const amount = pick(10, 10, 10, 11.5);
  const currency = pick(null, null, 'USD', 'EUR');
  const source = pick(null, null, 'STRIPE', 'OTHER', 'MANUAL');
  const name = pick(null, null, 'Ann', 'Other');
  const items = pick(null, null, [{ sku: 'A' }], [{ sku: 'B', quantity: 2 }]);
  const visitorId = by === 'page' ? pick(null, 'v-1', 'v-1', 'v-2') : null;
  // Most backends know no landings.
  const hasLandings = by === 'page' || below(4) === 0;
  const touches = hasLandings ? pick(null, ['news', null], ['news', 'google'], [null, 'partner']) : null;
  const extra = pick(null, null, { tax: 1 }, { tax: 2, gift: { notes: [true] } });
  const isHeader = by === 'key' && below(2) === 0;
  const sent: SentReport = {
    by,
    isTest,
    at: below(2),
    headers: isHeader && ownId !== null ? { 'idempotency-key': ownId } : {},
    body: {
      email: pick(email, email, ` ${email.toUpperCase()} `),
      amount,
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
      ...extra,
    },
    means: {
      by,
      isTest,
      email,
      amount,
      currency,
      source,
      orderId,
      ownId,
      name,
      items: items && JSON.stringify(items),
      visitorId,
      touches,
      extra: extra && JSON.stringify(extra),
    },
  };
  const odd = below(40);
  if (odd === 0) return { ...sent, body: { ...sent.body, amount: -1 }, status: 400 };
  if (odd === 1 && by === 'page')
    return { ...sent, headers: { origin: 'https://other.example' }, status: 403 };
  if (odd === 2 && by === 'key')
    return { ...sent, headers: { authorization: 'Bearer ob_live_none' }, status: 401 };
  return sent;
}
