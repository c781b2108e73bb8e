import type { Count, Timestamp, Url, WholeNumber } from './scalars';

/** One choice that a buyer has, such as the size or the colour. */
export interface OptionGroup {
  /** The group, `grp_…`. */
  id: string;
  /** Such as `Size`. */
  name: string;
  /** Zero-based position. */
  order: Count;
  /** The values that a buyer chooses from. */
  values: {
    /** The value, `val_…`. */
    id: string;
    /** Such as `M`. */
    name: string;
    /** Zero-based position. */
    order: Count;
  }[];
}

/** A variant of a product. */
export interface Variant {
  /** The variant, `sku_…`. */
  id: string;
  /** Stock keeping code. */
  sku: string;
  /** Display title, made of the option values. */
  title: string;
  /** In major units of the product’s currency. */
  price: number;
  /** Units on hand; 0 where they are not counted. */
  inventory: WholeNumber;
  /** False where the shop does not count units: such a variant is never sold out. */
  tracksInventory: boolean;
  /** True when units are counted and none is on hand. */
  isSoldOut: boolean;
  /** Null when the variant grants no units. */
  unitsGranted: number | null;
  /** Position among the variants. */
  sortOrder: Count;
  /** True when it is no longer sold. */
  isRetired: boolean;
  /** The chosen values, by name and not by id. */
  options: {
    /** Name of the option group. */
    group: string;
    /** Name of the option value. */
    value: string;
  }[];
  /** Selects the variant in the purchase link. */
  variantRef: string;
  /** Path of the purchase link, with `variant=<variantRef>`. */
  buyPath: string;
  /** Full purchase link; ends with `?variant=<variantRef>`. */
  buyUrl: Url;
}

export type ProductType = 'PHYSICAL' | 'DIGITAL' | 'MEETING' | 'MEMBERSHIP' | 'WEBINAR' | 'EVENT';
export type PricingType = 'SINGLE' | 'RECURRING' | 'FREE' | 'PAY_WHAT_YOU_WANT';

/** The fields that every type of product has. */
export interface ProductBase {
  /** The product, `prd_…`. */
  id: string;
  /** Display title of the product. */
  title: string;
  /** Alternative key for the look-up. */
  slug: string;
  /** Way of payment. */
  pricingType: PricingType;
  /** Base price in major units. */
  price: number;
  /** Currency code in upper case. */
  currency: string;
  /** Null when it has none. */
  category: {
    /** The category, `cat_…` or as imported. */
    id: string;
    /** Such as `Clothes`. */
    name: string;
    /** Such as `clothes`. */
    slug: string;
  } | null;
  /** True while it is on sale. */
  isActive: boolean;
  /** True when `skus` holds any. */
  hasVariants: boolean;
  /** True when buyers see the variants. */
  exposesVariants: boolean;
  /** True when a buyer has to choose one. */
  requiresVariantSelection: boolean;
  /** Purchase link of the product. */
  buyUrl: Url;
  /** Public product page. */
  productPageUrl: Url;
  /** Groups of options, such as size and colour. */
  optionGroups: OptionGroup[];
  /** Numbers of files, media and reviews. */
  counts: {
    /** Files to download. */
    downloads: Count;
    /** Pictures and films. */
    media: Count;
    /** Reviews. */
    reviews: Count;
  };
  /** Every variant, each with its own link. */
  skus: Variant[];
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface PlainProduct extends ProductBase {
  /** The kind of product. */
  type: 'PHYSICAL' | 'DIGITAL';
}

export interface MeetingProduct extends ProductBase {
  /** The kind of product. */
  type: 'MEETING';
  /** Duration in minutes. */
  durationMinutes: Count | null;
  /** IANA name, such as `Europe/Berlin`. */
  timezone: string | null;
  /** Meeting place. */
  location: string | null;
  /** Page where a time is booked. */
  bookingUrl: string | null;
}

export interface MembershipProduct extends ProductBase {
  /** The kind of product. */
  type: 'MEMBERSHIP';
  /** Period of one payment, such as `MONTH`. */
  interval: string | null;
  /** Number of intervals of one payment. */
  intervalCount: Count | null;
  /** Days before the first payment. */
  trialDays: Count | null;
  /** Benefits of a member. */
  benefits: string[] | null;
}

export interface WebinarProduct extends ProductBase {
  /** The kind of product. */
  type: 'WEBINAR';
  /** When it starts; ISO 8601, UTC. */
  startsAt: Timestamp | null;
  /** Duration in minutes. */
  durationMinutes: Count | null;
  /** IANA name, such as `Europe/Berlin`. */
  timezone: string | null;
  /** Link to join. */
  joinUrl: string | null;
  /** Link to the recording. */
  replayUrl: string | null;
  /** Names of the speakers. */
  speakers: string[] | null;
}

export interface EventProduct extends ProductBase {
  /** The kind of product. */
  type: 'EVENT';
  /** When it starts; ISO 8601, UTC. */
  startsAt: Timestamp | null;
  /** When it ends; ISO 8601, UTC. */
  endsAt: Timestamp | null;
  /** IANA name, such as `Europe/Berlin`. */
  timezone: string | null;
  /** Place of the event. */
  venue: {
    /** Such as `Town hall`. */
    name: string | null;
    /** Street and number. */
    address: string | null;
    /** Town. */
    city: string | null;
    /** Country. */
    country: string | null;
  } | null;
  /** Link to follow it online. */
  onlineUrl: string | null;
  /** Largest number of visitors. */
  capacity: Count | null;
}

/**
 * The answer to a product look-up.
 * @discriminator type
 */
export type Product = PlainProduct | MeetingProduct | MembershipProduct | WebinarProduct | EventProduct;
