import type { OptionGroup, Product, ProductType, Variant } from '@orderbeacon/sdk/contract';
import { z } from 'zod';
import { plainTypes, pricingTypes } from '../../products/productSchema.js';
import { momentSchema, text, textOrNull } from './answerSchemas.js';
import { schemaBase } from './jsonSchema.js';

const link = (description: string) => z.url().meta({ description });
const flag = (description: string) => z.boolean().meta({ description });
const whole = (description: string) => z.int().meta({ description });
const count = (description: string) => z.int().min(0).meta({ description });
const ofKind = { description: 'The kind of product.' };
// An enum of one: generators that know OpenAPI 3.0 ignore `const`, and then cannot tell the kinds apart.
const kind = <T extends ProductType>(type: T) => z.enum([type]).meta(ofKind);
const maybeCount = (description: string) => z.int().min(0).nullable().meta({ description });
const maybeMoment = (description: string) =>
  z.iso.datetime({ precision: 3 }).nullable().meta({ description });
const maybeTexts = (description: string) => z.array(z.string()).nullable().meta({ description });

/** An option group of a product (contract, section 2.2). */
export const optionGroupSchema = z.object({
  id: text('The group, `grp_…`.'),
  name: text('Such as `Size`.'),
  order: count('Zero-based position.'),
  values: z
    .array(
      z.object({
        id: text('The value, `val_…`.'),
        name: text('Such as `M`.'),
        order: count('Zero-based position.'),
      }),
    )
    .meta({ description: 'The values that a buyer chooses from.' }),
}) satisfies z.ZodType<OptionGroup>;

/** A variant of a product (contract, section 2.3). */
export const variantSchema = z.object({
  id: text('The variant, `sku_…`.'),
  sku: text('Stock keeping code.'),
  title: text('Display title, made of the option values.'),
  price: z.number().meta({ description: 'In major units of the product’s currency.' }),
  inventory: whole('Units on hand; 0 where they are not counted.'),
  tracksInventory: flag('False where the shop does not count units: such a variant is never sold out.'),
  isSoldOut: flag('True when units are counted and none is on hand.'),
  unitsGranted: z.number().nullable().meta({ description: 'Null when the variant grants no units.' }),
  sortOrder: count('Position among the variants.'),
  isRetired: flag('True when it is no longer sold.'),
  options: z
    .array(z.object({ group: text('Name of the option group.'), value: text('Name of the option value.') }))
    .meta({ description: 'The chosen values, by name and not by id.' }),
  variantRef: text('Selects the variant in the purchase link.'),
  buyPath: text('Path of the purchase link, with `variant=<variantRef>`.'),
  buyUrl: link('Full purchase link; ends with `?variant=<variantRef>`.'),
}) satisfies z.ZodType<Variant>;

const common = {
  id: text('The product, `prd_…`.'),
  title: text('Display title of the product.'),
  slug: text('Alternative key for the look-up.'),
  pricingType: z.enum(pricingTypes).meta({ description: 'Way of payment.' }),
  price: z.number().meta({ description: 'Base price in major units.' }),
  currency: text('Currency code in upper case.'),
  category: z
    .object({
      id: text('The category, `cat_…` or as imported.'),
      name: text('Such as `Clothes`.'),
      slug: text('Such as `clothes`.'),
    })
    .nullable()
    .meta({ description: 'Null when it has none.' }),
  isActive: flag('True while it is on sale.'),
  hasVariants: flag('True when `skus` holds any.'),
  exposesVariants: flag('True when buyers see the variants.'),
  requiresVariantSelection: flag('True when a buyer has to choose one.'),
  buyUrl: link('Purchase link of the product.'),
  productPageUrl: link('Public product page.'),
  optionGroups: z
    .array(optionGroupSchema)
    .meta({ description: 'Groups of options, such as size and colour.' }),
  counts: z
    .object({
      downloads: count('Files to download.'),
      media: count('Pictures and films.'),
      reviews: count('Reviews.'),
    })
    .meta({ description: 'Numbers of files, media and reviews.' }),
  skus: z.array(variantSchema).meta({ description: 'Every variant, each with its own link.' }),
  createdAt: momentSchema,
  updatedAt: momentSchema,
};

const minutes = maybeCount('Duration in minutes.');
const timezone = textOrNull('IANA name, such as `Europe/Berlin`.');

/** Answers to a product look-up (contract, section 2.1) by kind: the common fields, and those of the kind. */
export const productKinds = {
  PlainProduct: z.object({ type: z.enum(plainTypes).meta(ofKind), ...common }),
  MeetingProduct: z.object({
    type: kind('MEETING'),
    ...common,
    durationMinutes: minutes,
    timezone,
    location: textOrNull('Meeting place.'),
    bookingUrl: textOrNull('Page where a time is booked.'),
  }),
  MembershipProduct: z.object({
    type: kind('MEMBERSHIP'),
    ...common,
    interval: textOrNull('Period of one payment, such as `MONTH`.'),
    intervalCount: maybeCount('Number of intervals of one payment.'),
    trialDays: maybeCount('Days before the first payment.'),
    benefits: maybeTexts('Benefits of a member.'),
  }),
  WebinarProduct: z.object({
    type: kind('WEBINAR'),
    ...common,
    startsAt: maybeMoment('When it starts; ISO 8601, UTC.'),
    durationMinutes: minutes,
    timezone,
    joinUrl: textOrNull('Link to join.'),
    replayUrl: textOrNull('Link to the recording.'),
    speakers: maybeTexts('Names of the speakers.'),
  }),
  EventProduct: z.object({
    type: kind('EVENT'),
    ...common,
    startsAt: maybeMoment('When it starts; ISO 8601, UTC.'),
    endsAt: maybeMoment('When it ends; ISO 8601, UTC.'),
    timezone,
    venue: z
      .object({
        name: textOrNull('Such as `Town hall`.'),
        address: textOrNull('Street and number.'),
        city: textOrNull('Town.'),
        country: textOrNull('Country.'),
      })
      .nullable()
      .meta({ description: 'Place of the event.' }),
    onlineUrl: textOrNull('Link to follow it online.'),
    capacity: maybeCount('Largest number of visitors.'),
  }),
};

const { PlainProduct, MeetingProduct, MembershipProduct, WebinarProduct, EventProduct } = productKinds;

/** Answer to a product look-up: one of the kinds, told apart by `type`. */
export const productAnswerSchema = z
  .discriminatedUnion('type', [PlainProduct, MeetingProduct, MembershipProduct, WebinarProduct, EventProduct])
  .meta({
    // Generators of languages without literal types need the names.
    discriminator: {
      propertyName: 'type',
      mapping: {
        PHYSICAL: `${schemaBase}PlainProduct`,
        DIGITAL: `${schemaBase}PlainProduct`,
        MEETING: `${schemaBase}MeetingProduct`,
        MEMBERSHIP: `${schemaBase}MembershipProduct`,
        WEBINAR: `${schemaBase}WebinarProduct`,
        EVENT: `${schemaBase}EventProduct`,
      } satisfies Record<ProductType, string>,
    },
  }) satisfies z.ZodType<Product>;
