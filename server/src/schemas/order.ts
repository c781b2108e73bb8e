import type { Limits, LineItem, OrderReport, Source } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { email, isStorable, text, unstorable } from './text.js';

export const limits = {
  bodyBytes: 65_536,
  email: 254,
  id: 128,
  reportId: 64,
  text: 255,
  items: 500,
} as const satisfies Limits;

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

const lineItem = z.looseObject(
  {
    productId: looseId.optional(),
    sku: looseId.optional(),
    name: text(limits.text).optional(),
    variant: looseId.optional(),
    category: text(limits.text).optional(),
    quantity: number.min(0, { error: 'must be at least 0' }).optional(),
    price: number.optional(),
  },
  { error: 'must be an object' },
) satisfies z.ZodType<LineItem>;

const items = z
  .array(lineItem, { error: 'must be an array of objects' })
  .max(limits.items, { error: `must have at most ${limits.items} entries` })
  .refine(isTreeStorable, {
    error: `must nest at most ${itemDepthAtMost} levels, and its texts ${unstorable}`,
  });

/** The body of an order report. Unknown top-level fields are ignored. */
export const orderSchema = z.object(
  {
    teamId: id,
    email,
    amount: z
      .number({ error: 'must be a number such as 49.9, in major units and without a currency sign' })
      .min(0, { error: 'must be at least 0' }),
    orderId: z
      .string({ error: 'must be a string; put numbers in quotes, long ones lose digits' })
      .pipe(id)
      .optional(),
    currency: z
      .string({ error: 'must be a string' })
      .regex(/^[A-Za-z]{3,5}$/, { error: 'must be a currency code of 3 to 5 letters such as USD' })
      .toUpperCase()
      .optional(),
    source: z
      .string({ error: 'must be a string' })
      .toUpperCase()
      .pipe(z.enum(sources, { error: `must be one of ${sources.join(', ')}` }))
      .optional(),
    name: text(limits.text).optional(),
    items: items.optional(),
    visitorId: id.optional(),
    reportId: text(limits.reportId).optional(),
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
