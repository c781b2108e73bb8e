import type { PlacedOrder, Touch } from '@orderbeacon/sdk/contract';
import { expect } from 'vitest';
import { noTouch } from './noTouch.js';

/**
 * A field of an order with an example. A value is undefined if reports, lists or stored rows do not have the field.
 */
interface Field {
  name: string;
  /** As a page reports it. */
  sent?: unknown;
  /** As answers, lists and webhooks have it. */
  listed?: unknown;
  /** As it is stored. */
  stored?: unknown;
}

/** Makes a field that is the same in reports, lists and stored rows. */
const everywhere = (name: keyof PlacedOrder, value: unknown): Field => ({
  name,
  sent: value,
  listed: value,
  stored: value,
});

/** Makes a field that the server fills. */
const made = (name: string, listed: unknown, stored: unknown): Field => ({ name, listed, stored });

const idOf = (kind: string) => expect.stringMatching(`^${kind}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
const orderNumber = expect.stringMatching(/^ORD-[0-9A-HJKMNP-TV-Z]{10,13}$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

interface Landing {
  at?: string;
  referrer?: string;
  /** Campaign parameters, as the script writes them: `?utm_source=a,&utm_medium=b`. */
  parameters?: string;
  path?: string;
}

/** Writes one of the two `landings` of a report, as the script does. */
export const landing = ({
  at = '2026-05-01T00:00:00.000Z',
  referrer = 'undefined',
  parameters = '',
  path = '/',
}: Landing) => Buffer.from(`${Date.parse(at)} ${referrer} ${parameters} ${path}`).toString('base64');

const firstLanding = { at: '2026-05-01T08:00:00.000Z', referrer: 'news.example', path: '/mugs' };
const firstTouch: Touch = { ...noTouch, ...firstLanding };
const lastLanding = {
  at: '2026-05-02T08:00:00.000Z',
  parameters:
    '?utm_source=letter,&utm_medium=email,&utm_campaign=May,&utm_term=mugs,&utm_content=button,&gclid=1',
  path: '/sale',
};
const lastTouch: Touch = {
  at: lastLanding.at,
  path: '/sale',
  referrer: null,
  source: 'letter',
  medium: 'email',
  campaign: 'May',
  term: 'mugs',
  content: 'button',
  clickId: 'gclid',
};

/**
 * All fields of an order that a page reports. A new optional field needs one line here. Tests that compare whole orders then
 * include it.
 */
const fields: Field[] = [
  everywhere('orderId', 'A-1001'),
  { name: 'email', sent: ' Ann@Buyer.Example ', listed: 'ann@buyer.example', stored: 'ann@buyer.example' },
  { name: 'amount', sent: 49.9, listed: 49.9, stored: '49.9' },
  { name: 'currency', sent: 'eur', listed: 'EUR', stored: 'EUR' },
  { name: 'source', sent: 'stripe', listed: 'STRIPE', stored: 'STRIPE' },
  everywhere('name', 'Ann Buyer'),
  everywhere('items', [{ sku: 'MUG', quantity: 2, price: 24.95, isGift: true }]),
  everywhere('visitorId', 'v-1001'),
  { name: 'landings', sent: `${landing(firstLanding)}.${landing(lastLanding)}` },
  made('firstTouch', firstTouch, firstTouch),
  made('lastTouch', lastTouch, lastTouch),
  { name: 'tax', sent: 7.97 },
  made('extra', { tax: 7.97 }, { tax: 7.97 }),
  // Fields that the server fills.
  made('id', idOf('ord'), uuid),
  made('orderNumber', orderNumber, orderNumber),
  made('reportId', null, null),
  made('keys', [], []),
  made('sharesIdWith', null, null),
  { name: 'peopleId', listed: idOf('ppl') },
  { name: 'personId', stored: uuid },
  { name: 'paymentStatus', listed: 'PAID' },
  { name: 'refundedAmount', listed: 0 },
  made('isTest', false, false),
  made('reportedBy', 'browser', 'browser'),
  made('createdAt', time, expect.any(Date)),
  { name: 'teamId', stored: uuid },
  { name: 'buyerName', stored: 'Ann Buyer' },
  { name: 'host', stored: expect.stringMatching(/^shop\d+\.example$/) },
  { name: 'said', stored: null },
  { name: 'mergedAt', stored: null },
];

const pick = (form: 'sent' | 'listed' | 'stored'): Record<string, unknown> =>
  Object.fromEntries(fields.filter((field) => form in field).map((field) => [field.name, field[form]]));

/** An order with every field: the report of a page without its `teamId`, and the same order listed and stored. */
export const anOrder = {
  sent: pick('sent'),
  /** As lists and webhooks have it. `GET /orders/:id` adds its `refunds`. */
  listed: pick('listed'),
  /** As `shop.stored()` reads it. */
  stored: pick('stored'),
};

/** The fields that an order can lack, stored and listed as null. */
export const emptyFields = Object.fromEntries(
  ['name', 'items', 'visitorId', 'firstTouch', 'lastTouch', 'extra'].map((name) => [name, null]),
);
