import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providers } from '../../../src/features/sources/providers.js';
import { readEvents } from '../../../src/features/sources/receive/readEvents.js';
import { listedRefunds } from '../../../src/features/sources/receive/refundStatement.js';
import type { SourceOrder } from '../../../src/features/sources/receive/sourceEvent.js';
import { stripeAmount } from '../../../src/features/sources/receive/stripeAmount.js';
import { type ShopSource, type SourceKind, sourceKinds } from '../../../src/features/sources/source.js';
import { limits } from '../../../src/values/limits.js';
import { paidOrder } from './kit/shopifySamples.js';
import { type EventExample, storedOf } from './kit/sourceEvents.js';
import { stripeEvents } from './kit/stripeEvents.js';
import { wooOrder } from './kit/wooCommerceSamples.js';
import { shopifyEvents } from './shopifyEvents.js';
import { wooCommerceEvents } from './wooCommerceEvents.js';

const examples: Record<SourceKind, EventExample[]> = {
  stripe: stripeEvents,
  shopify: shopifyEvents,
  woocommerce: wooCommerceEvents,
};

describe.each(Object.entries(examples))('of an event of %s is stored what it tells:', (kind, events) => {
  it.each(events)('$event', async ({ sent, stored }) => {
    expect(await storedOf(kind as SourceKind, sent)).toEqual(stored);
  });

  it('with anything in any field it is stored, kept or nothing, and never throws', async () => {
    const objects = events.filter(({ stored }) => Array.isArray(stored));
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\0', '\ud800', 'x'.repeat(1_000), -1, 1e308, '1e400', '-000044-03-15'),
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...objects),
      fc.nat(),
      anything,
      async ({ sent }, at, value) => {
        const [topic, payload] = sent;
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
        const spots = [...text.matchAll(/:("[^"]*"|[\d.]+|null|true|false|\[\]|\{\})/g)];
        const { index, 0: found } = spots[at % spots.length]!;
        const changed = `${text.slice(0, index)}:${JSON.stringify(value)}${text.slice(index + found.length)}`;
        const stored = await storedOf(kind as SourceKind, [topic, changed]);
        expect(['nothing', 'kept', 'refused', 'order', 'unpaid', 'refund', 'takenBack']).toContain(
          typeof stored === 'string' ? stored : stored[0]!.kind,
        );
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});

const guide = readFileSync(new URL('../../../guides/source-events.md', import.meta.url), 'utf8');

/** Reads the rows of the guide's table of a provider: the events of each, and what is stored of them. */
function rowsOfGuide(name: string): { types: string[]; outcomes: string[] }[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${name}\n`))!;
  let types: string[] = [];
  return [...section.matchAll(/^\| (.*?) \| (.*) \|$/gm)].slice(1).map(([, events = '', stored = '']) => {
    const named = [...events.matchAll(/`([\w./]+)`/g)].map(([, type]) => type!);
    // "the same" stands for the events of the row before.
    if (named.length > 0) types = named;
    const outcomes = [
      ['order', /\bthe order\b/i],
      ['refund', /\brefund\b(?! is taken)/i],
      ['takenBack', /taken back/i],
      ['unpaid', /only a page/i],
      ['nothing', /\bnothing\b/i],
    ] as const;
    return { types, outcomes: outcomes.filter(([, words]) => words.test(stored)).map(([kind]) => kind) };
  });
}

describe.each(sourceKinds)('the guide says of %s', (kind) => {
  const { name, events } = providers[kind];
  const rows = rowsOfGuide(name);
  const stated = rows.flatMap(({ types, outcomes }) =>
    types.flatMap((type) => outcomes.map((outcome) => `${type}: ${outcome}`)),
  );
  const shown = examples[kind].flatMap(({ sent: [topic, payload], stored }): string[] => {
    const type = topic ?? (payload as { type?: string } | null)?.type;
    if (stored === 'nothing') return [`${type}: nothing`];
    return Array.isArray(stored) ? stored.map(({ kind }) => `${type}: ${kind}`) : [];
  });

  it('what each event is stored as that an example stores', () => {
    const stored = shown.filter((each) => !each.endsWith('nothing') && !each.startsWith('undefined'));
    expect(stored.filter((each) => !stated.includes(each))).toEqual([]);
  });

  it('nothing that no example shows', () => {
    const isShown = (types: string[], outcome: string) =>
      types.some((type) => shown.includes(`${type}: ${outcome}`));
    const wrong = rows.flatMap(({ types, outcomes }) =>
      outcomes.filter((outcome) => !isShown(types, outcome)).map((outcome) => `${types}: ${outcome}`),
    );
    expect(wrong).toEqual([]);
    expect(events.filter((type) => !rows.some(({ types }) => types.includes(type)))).toEqual([]);
  });
});

it('of an order with 20,000 refunds 500 are read, which is the most that an order has', async () => {
  const refunds = Array.from({ length: 20_000 }, (_, at) => ({ id: at + 1, reason: '', total: '-0.01' }));
  const { events } = await readEvents(
    'woocommerce',
    Buffer.from(JSON.stringify(wooOrder(1, { refunds }))),
    'order.updated',
  );
  expect(events).toMatchObject([{ kind: 'order', refunds: { length: 20_000 } }]);
  const source = { kind: 'woocommerce', orderIdPrefix: '' } as ShopSource;
  const [{ refunds: listed }] = events as [SourceOrder];
  expect(listedRefunds(source, listed!, null, 0)).toHaveLength(limits.refunds);
});

it.each<[string, object]>([
  ['a name with NUL', { customer: { first_name: 'A\0', last_name: 'B' } }],
  ['a name of 1,000 characters', { customer: { first_name: 'x'.repeat(1_000) } }],
  ['1,000 lines', { line_items: Array(1_000).fill({ title: 'Line', quantity: 1, price: '1.00' }) }],
  [
    'lines that are none',
    { line_items: [null, 1, 'x', [], { title: { a: 1 }, quantity: 'many', price: {} }] },
  ],
  ['1,000 coupons of 255 characters', { discount_codes: Array(1_000).fill({ code: 'x'.repeat(255) }) }],
  ['a visitor of 1,000 characters', { note_attributes: [{ name: 'visitorId', value: 'v'.repeat(1_000) }] }],
  ['landings that are none', { note_attributes: [{ name: '_orderbeacon_landings', value: '<script>' }] }],
  ['a tax that is none', { total_tax: 'none', total_tax_set: null }],
  ['a time that is none', { processed_at: 'soon', created_at: {} }],
])('an order with %s is stored nevertheless', async (_title, more) => {
  expect(await storedOf('shopify', ['orders/paid', paidOrder(5001, more)])).toMatchObject([
    { kind: 'order' },
  ]);
});

it.each([
  [4_990, 'usd', '49.90'],
  [5, 'eur', '0.05'],
  [0, 'usd', '0.00'],
  [500, 'jpy', '500'],
  [500, 'KRW', '500'],
  [500, 'isk', '5.00'],
  [500, 'ugx', '5.00'],
  [12_345, 'huf', '123.45'],
  [12_345, 'twd', '123.45'],
  [5_120, 'kwd', '5.120'],
  [10, 'BHD', '0.010'],
  [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
])('%i of Stripe in %s is %s', (amount, currency, text) => {
  expect(stripeAmount(amount, currency)).toBe(text);
});
