import type { LineItem, OrderReport, Source } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { currency } from '../../../values/currency.js';
import { withoutFloatNoise } from '../../../values/decimal.js';
import { emailSchema } from '../../../values/email.js';
import { mustBe, mustBeAmount, mustBeTime } from '../../../values/issues.js';
import { amountAtMost, limits } from '../../../values/limits.js';
import { storablePattern, text, tooLong, visibleId } from '../../../values/text.js';

/** Values of `source`. */
export const sources = [
  'STRIPE',
  'PAYPAL',
  'NOWPAYMENTS',
  'USDC_BASE',
  'MANUAL',
  'OTHER',
] as const satisfies Source[];

const id = text(limits.id);

/**
 * Creates the schema of an id of which only the visible characters count. Otherwise the same id from a page and a backend could be
 * two orders.
 * @param field.isRequired set for a field that cannot be left out
 */
export function trimmedId(field: { isRequired?: boolean } = {}) {
  return z
    .string({ error: mustBe('a string (put numbers in quotes)', field) })
    .overwrite(visibleId)
    .pipe(text(limits.id, field));
}

/** The form of such an id in the API document. */
export const trimmedIdForm = {
  minLength: 1,
  maxLength: limits.id,
  pattern: `^\\s*[^\\s\\x00\\x1e\\x1f]${storablePattern}*$`,
};

/** Schema of a product id. Shops use numbers and texts, so both are kept as sent. */
const looseId = z.union([id, z.number()], {
  // For a text that is empty or cannot be stored, zod keeps the text's own issue.
  error: ({ input }) =>
    typeof input === 'string' ? tooLong(limits.id) : mustBe('a string or a number')({ input }),
});

const number = z.number({ error: mustBe('a number') });

/** One line of an order. Further fields are kept as sent. */
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
  { error: mustBe('an object') },
) satisfies z.ZodType<LineItem>;

/** The form of an SDK version. It allows no character that could forge a log line or a metric's label. */
const sdkVersionPattern = /^[\w.+-]{1,32}$/;

/** The form of `landings`. Its content is parsed leniently. */
const landingsForm = /^[A-Za-z0-9+/]*={0,2}(?:\.[A-Za-z0-9+/]*={0,2})?$/;
/** The script sends at most 801 characters. */
const landingsLength = 2_048;

/**
 * The body of an order report. `readReport` reads each field by its schema, `items` by `checkItems`, and other fields by
 * `extraFields`.
 */
export const orderSchema = z.object(
  {
    teamId: text(limits.id, { isRequired: true }).meta({
      description: 'The team, `team_…`. The tracking script fills it in.',
    }),
    email: emailSchema.meta({ description: 'The buyer, in any case. The person is created when new.' }),
    amount: z
      .number({ error: mustBeAmount({ isRequired: true }) })
      .min(0, { error: 'must be at least 0' })
      .max(amountAtMost, { error: `must be at most ${amountAtMost}` })
      .transform(withoutFloatNoise)
      .meta({
        description:
          'Order total in major units: 49.9 is 49 dollars 90. Kept as sent, save the noise of floating point: 23.849999999999998 is 23.85. A number of more digits than a 64-bit float holds is refused, and so is a text.',
      }),
    orderId: trimmedId()
      .optional()
      .meta({
        description:
          'Your own payment or order identifier: the deduplication key within the team. Spaces around it and invisible characters do not count.',
        ...trimmedIdForm,
      }),
    currency: currency.optional().meta({
      description: '3 to 5 letters, stored in upper case. Default `USD`, with a warning in the answer.',
    }),
    source: z
      .string({ error: mustBe('a string') })
      .toUpperCase()
      .pipe(z.enum(sources, { error: `must be one of ${sources.join(', ')}` }))
      .optional()
      .meta({
        description: 'Where the money came from. Default `OTHER` without an API key, `MANUAL` with one.',
        enum: sources,
      }),
    name: text(limits.text).optional().meta({
      description: 'The customer’s name; fills an empty name of the person. Spaces around it do not count.',
    }),
    items: z
      .array(lineItemSchema)
      .max(limits.items)
      .optional()
      .meta({ description: 'What was bought. Fields beyond these are kept as sent.' }),
    visitorId: id.optional().meta({
      description:
        'The browser’s persisted visitor, needed for attribution. The tracking script fills it in.',
    }),
    landings: z
      .string({ error: mustBe('a string') })
      .max(landingsLength, { error: `must be at most ${landingsLength} characters` })
      .regex(landingsForm, { error: 'must be base64, or two of them with a dot between' })
      .optional()
      .meta({
        description:
          'How the visitor came to the shop, as the tracking script writes it: the first landing, and after a dot the last one with campaign parameters. Each is base64 of the time in milliseconds, the referrer’s host, the campaign parameters (`?utm_source=a,&utm_medium=b`) and the path, separated by spaces. Either may be empty.',
      }),
    reportId: text(limits.reportId).optional().meta({
      description:
        'Made once per report: the same id again is the same order, so that a retry never doubles an order that has no `orderId`.',
    }),
    createdAt: z.iso.datetime({ offset: true, error: mustBeTime }).optional().meta({
      description:
        'Of a report with a key: when the order was placed, in the past, since 1990. Up to five minutes ahead is now, because clocks differ. Default: now. Of a page it is kept as any other field.',
    }),
    changedAt: z.iso.datetime({ offset: true, error: mustBeTime }).optional().meta({
      description:
        'Of a report with a key: when your system last changed the order. Of two reports of an order the one with the later `changedAt` counts, field by field, so a backend corrects an order by reporting it again. More than five minutes ahead counts as none. Of a page it is kept as any other field.',
    }),
    signature: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .catch(undefined)
      .meta({
        description:
          'Of a report without a key: HMAC-SHA256, in hex, of `team_…`, orderId, email, amount and currency (`USD` where there is none), joined by line feeds, with a signing key of the team. A right one makes this report as good as one with a key for these fields. A wrong one is refused (403).',
      }),
    sdkVersion: z.string().regex(sdkVersionPattern).optional().catch(undefined).meta({
      description:
        'The version of the tracking script that sent the report. One of another shape is ignored.',
    }),
  },
  { error: 'must be a JSON object' },
) satisfies z.ZodType<OrderReport>;

/** Names of the fields of a report. Any other field is an extra field. */
export const reportFields: ReadonlySet<string> = new Set(Object.keys(orderSchema.shape));

/** Schema of `Idempotency-Key`. It has the bounds of `reportId`, which the header replaces. */
export const idempotencyKeySchema = text(limits.reportId);

/** Reads the `sdkVersion` of an unchecked body; undefined if it is missing or invalid. */
export function sdkVersionOf(body: unknown): string | undefined {
  const version = (body as { sdkVersion?: unknown } | null)?.sdkVersion;
  return typeof version === 'string' && sdkVersionPattern.test(version) ? version : undefined;
}
