import type { PricingType, ProductType } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { currency } from '../../values/currency.js';
import { mustBe, mustBeTime } from '../../values/issues.js';
import { limits } from '../../values/limits.js';
import { text } from '../../values/text.js';
import { parseWebUrl } from '../../values/url.js';
import { refuseContradictions } from './consistentProduct.js';

/** Ways of payment. */
const pricingTypes = ['SINGLE', 'RECURRING', 'FREE', 'PAY_WHAT_YOU_WANT'] as const satisfies PricingType[];

/** Types of product without further fields. */
export const plainTypes = ['PHYSICAL', 'DIGITAL'] as const satisfies ProductType[];

/** Variants of one product at most. */
export const variantsAtMost = 2000;

const word = text(limits.text);
const id = text(limits.id);
const prose = text(5000);
const boolean = z.boolean({ error: mustBe('true or false') });
const anObject = { error: mustBe('an object') };
const whole = z.int({ error: mustBe('a whole number') });
const count = whole.min(0, { error: 'must be at least 0' });
const money = z.number({ error: mustBe('a number') }).min(0, { error: 'must be at least 0' });
const moment = z.iso
  .datetime({ offset: true, error: mustBeTime })
  .transform((time) => new Date(time).toISOString());
const webUrl = prose.refine((url) => parseWebUrl(url) !== null, {
  error: 'must be an absolute http or https URL',
});

/** Parses a missing field as null, which a look-up shows. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const slug = text(limits.id)
  .overwrite((value) => (value.length > limits.id ? value : value.normalize()))
  .regex(/^[\p{L}\p{M}\p{N}]+([._-]+[\p{L}\p{M}\p{N}]+)*$/u, {
    error: 'must be letters and digits, with dots, dashes or underscores only between them',
  })
  .refine((value) => !value.startsWith('prd_'), { error: 'must not look like a product id' });

const group = z.object(
  {
    name: word,
    order: count.optional(),
    values: z.array(z.object({ name: word, order: count.optional() }, anObject), {
      error: mustBe('an array'),
    }),
  },
  anObject,
);

const variant = z.object(
  {
    /** The variant's sku; an empty one becomes null. Two variants may have the same sku. */
    sku: orNull(
      z
        .literal('')
        .transform(() => null)
        .or(text(limits.id)),
    ),
    title: word.nullish(),
    price: money.nullish(),
    /** Units in stock. Null or missing if the shop does not count them. */
    inventory: orNull(whole),
    tracksInventory: boolean.optional(),
    unitsGranted: orNull(z.number({ error: 'must be a number or null' })),
    sortOrder: count.optional(),
    isRetired: boolean.default(false),
    options: z
      .array(z.object({ group: word, value: word }, anObject), { error: mustBe('an array') })
      .default([]),
    variantRef: text(limits.id)
      .regex(/^[\w.~-]+$/, { error: 'must be letters, digits and . _ ~ -, because it is part of a link' })
      .optional(),
  },
  anObject,
);

const common = {
  title: word,
  slug,
  pricingType: z.enum(pricingTypes, { error: `must be one of ${pricingTypes.join(', ')}` }).default('SINGLE'),
  price: money,
  currency: currency.default('USD'),
  category: orNull(z.object({ id: id.optional(), name: word, slug: text(limits.id).optional() }, anObject)),
  isActive: boolean.default(true),
  exposesVariants: boolean.optional(),
  requiresVariantSelection: boolean.optional(),
  optionGroups: z.array(group, { error: mustBe('an array') }).default([]),
  counts: z
    .object({ downloads: count.default(0), media: count.default(0), reviews: count.default(0) }, anObject)
    .default({ downloads: 0, media: 0, reviews: 0 }),
  skus: z
    .array(variant, { error: mustBe('an array') })
    .max(variantsAtMost, { error: `must have at most ${variantsAtMost} entries` })
    .default([]),
};

const minutes = orNull(count);
const texts = orNull(z.array(prose, { error: 'must be an array of strings' }));

/** One product of an import file. Derived fields are ignored. */
export const productSchema = z
  .discriminatedUnion(
    'type',
    [
      z.object({ type: z.enum(plainTypes), ...common }),
      z.object({
        type: z.literal('MEETING'),
        ...common,
        durationMinutes: minutes,
        timezone: orNull(word),
        location: orNull(prose),
        bookingUrl: orNull(webUrl),
      }),
      z.object({
        type: z.literal('MEMBERSHIP'),
        ...common,
        interval: orNull(word),
        intervalCount: orNull(count),
        trialDays: orNull(count),
        benefits: texts,
      }),
      z.object({
        type: z.literal('WEBINAR'),
        ...common,
        startsAt: orNull(moment),
        durationMinutes: minutes,
        timezone: orNull(word),
        joinUrl: orNull(webUrl),
        replayUrl: orNull(webUrl),
        speakers: texts,
      }),
      z.object({
        type: z.literal('EVENT'),
        ...common,
        startsAt: orNull(moment),
        endsAt: orNull(moment),
        timezone: orNull(word),
        venue: orNull(
          z.object(
            { name: orNull(word), address: orNull(prose), city: orNull(word), country: orNull(word) },
            anObject,
          ),
        ),
        onlineUrl: orNull(webUrl),
        capacity: orNull(count),
      }),
    ],
    {
      error: (issue) =>
        issue.code === 'invalid_union'
          ? 'must be one of PHYSICAL, DIGITAL, MEETING, MEMBERSHIP, WEBINAR, EVENT'
          : 'must be an object',
    },
  )
  .superRefine(refuseContradictions);

/** A checked product of an import file. */
export type ImportedProduct = z.output<typeof productSchema>;
