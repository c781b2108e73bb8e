import type { LineItem, OrderReport, Source } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { limits } from './limits.js';
import { email, isStorable, text, unstorable } from './text.js';

const sources = [
  'STRIPE',
  'PAYPAL',
  'NOWPAYMENTS',
  'USDC_BASE',
  'MANUAL',
  'OTHER',
] as const satisfies Source[];

/** Nothing a shop sells nests deeper; PostgreSQL and JSON.stringify would give up at some thousands. */
const itemDepthAtMost = 16;

const id = text(limits.id);

/** Shops number their products as often as they name them, so both are kept as sent. */
const looseId = z.union([id, z.number()], { error: 'must be a string or a number' });

const number = z.number({ error: 'must be a number' });

/** One line of an order. Fields beyond these are kept as sent. */
export const lineItemSchema = z.looseObject(
  {
    productId: looseId.optional().meta({ description: 'The shop’s own product identifier.' }),
    sku: looseId.optional().meta({ description: 'The stock keeping code of what was bought.' }),
    name: text(limits.text).optional().meta({ description: 'What the buyer saw it called.' }),
    variant: looseId.optional().meta({ description: 'Such as a size, by name or identifier.' }),
    category: text(limits.text).optional().meta({ description: 'Such as `Clothes`.' }),
    quantity: number
      .min(0, { error: 'must be at least 0' })
      .optional()
      .meta({ description: 'Units; fractions are fine.' }),
    price: number.optional().meta({ description: 'Of one unit, in major units of the order’s currency.' }),
  },
  { error: 'must be an object' },
) satisfies z.ZodType<LineItem>;

const items = z
  .array(lineItemSchema, { error: 'must be an array of objects' })
  .max(limits.items, { error: `must have at most ${limits.items} entries` })
  .refine(isTreeStorable, {
    error: `must nest at most ${itemDepthAtMost} levels, and its texts ${unstorable}`,
  });

/** The body of an order report. Unknown top-level fields are ignored. */
export const orderSchema = z.object(
  {
    teamId: id.meta({ description: 'The team, `team_…`. The tracking script fills it in.' }),
    email: email.meta({ description: 'The buyer, in any case. The person is created when new.' }),
    amount: z
      .number({ error: 'must be a number such as 49.9, in major units and without a currency sign' })
      .min(0, { error: 'must be at least 0' })
      .meta({ description: 'Order total in major units: 49.9 is 49 dollars 90. Kept exactly as sent.' }),
    orderId: z
      .string({ error: 'must be a string; put numbers in quotes, long ones lose digits' })
      // As the tracking script does: or the same id would be another order from a backend.
      .trim()
      .pipe(id)
      .optional()
      .meta({
        description:
          'Your own payment or order identifier: the deduplication key within the team. Spaces around it do not count.',
        minLength: 1,
        maxLength: limits.id,
      }),
    currency: z
      .string({ error: 'must be a string' })
      .regex(/^[A-Za-z]{3,5}$/, { error: 'must be a currency code of 3 to 5 letters such as USD' })
      .toUpperCase()
      .optional()
      .meta({ description: '3 to 5 letters, stored in upper case.', default: 'USD' }),
    source: z
      .string({ error: 'must be a string' })
      .toUpperCase()
      .pipe(z.enum(sources, { error: `must be one of ${sources.join(', ')}` }))
      .optional()
      .meta({
        description: 'Where the money came from. Default `OTHER` without an API key, `MANUAL` with one.',
        enum: sources,
      }),
    name: text(limits.text)
      .optional()
      .meta({ description: 'The customer’s name; fills an empty name of the person.' }),
    items: items.optional().meta({ description: 'What was bought. Fields beyond these are kept as sent.' }),
    visitorId: id.optional().meta({
      description:
        'The browser’s persisted visitor, needed for attribution. The tracking script fills it in.',
    }),
    reportId: text(limits.reportId).optional().meta({
      description:
        'Made once per report: the same id again is the same order, so that a retry never doubles an order that has no `orderId`.',
    }),
  },
  { error: 'must be a JSON object' },
) satisfies z.ZodType<OrderReport>;

/** The value of `Idempotency-Key`: the same bounds as the `reportId` that it stands for. */
export const idempotencyKeySchema = text(limits.reportId);

/** Walks without recursion: JSON.parse takes 20,000 levels, the call stack does not. */
function isTreeStorable(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) return false;
      } else if (typeof value === 'object' && value !== null) {
        if (depth > itemDepthAtMost) return false;
        for (const [key, child] of Object.entries(value)) {
          if (!isStorable(key)) return false;
          next.push(child);
        }
      }
    }
    level = next;
  }
  return true;
}
