import type { Count, Timestamp, Url, WholeNumber } from './scalars';

/** One choice that a buyer has, such as the size or the colour. */
export interface OptionGroup {
  /** The group, `grp_…`. */
  id: string;
  /** Name of the group, such as `Size`. */
  name: string;
  /** Zero-based position. */
  order: Count;
  /** The values that a buyer chooses from. */
  values: {
    /** The value, `val_…`. */
    id: string;
    /** Name of the value, such as `M`. */
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
  /** Price in major units of the product’s currency. */
  price: number;
  /** Units on hand; 0 if they are not counted. */
  inventory: WholeNumber;
  /** `false` if the shop does not count units. Such a variant is never sold out. */
  tracksInventory: boolean;
  /** `true` if units are counted and none is left. */
  isSoldOut: boolean;
  /** Units that the variant grants; null if it grants none. */
  unitsGranted: number | null;
  /** Position among the variants. */
  sortOrder: Count;
  /** `true` if it is no longer sold. */
  isRetired: boolean;
  /** The chosen values, by name and not by id. */
  options: {
    /** Name of the option group. */
    group: string;
    /** Name of the option value. */
    value: string;
  }[];
  /** Text that selects the variant in the purchase link. */
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
  /** Readable name in URLs. The look-up finds the product by it, too. */
  slug: string;
  /** Way of payment. */
  pricingType: PricingType;
  /** Base price in major units. */
  price: number;
  /** Currency code in upper case. */
  currency: string;
  /** Category of the product; null if it has none. */
  category: {
    /** The category, `cat_…` or as imported. */
    id: string;
    /** Name of the category, such as `Clothes`. */
    name: string;
    /** Readable name in URLs, such as `clothes`. */
    slug: string;
  } | null;
  /** `true` while the product is on sale. */
  isActive: boolean;
  /** `true` if `skus` has entries. */
  hasVariants: boolean;
  /** `true` if buyers see the variants. */
  exposesVariants: boolean;
  /** `true` if a buyer has to choose a variant. */
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
    /** Name of the venue, such as `Town hall`. */
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
