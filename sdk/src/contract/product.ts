/** One choice that a buyer has, such as the size or the colour. */
export interface OptionGroup {
  id: string;
  name: string;
  /** Zero-based. */
  order: number;
  values: { id: string; name: string; order: number }[];
}

/** A variant of a product. */
export interface Variant {
  id: string;
  sku: string;
  title: string;
  price: number;
  /** Units on hand; 0 where they are not counted. */
  inventory: number;
  /** False where the shop does not count units: such a variant is never sold out. */
  tracksInventory: boolean;
  isSoldOut: boolean;
  unitsGranted: number | null;
  sortOrder: number;
  isRetired: boolean;
  /** Option groups and values by name, not by id. */
  options: { group: string; value: string }[];
  variantRef: string;
  buyPath: string;
  buyUrl: string;
}

export type ProductType = 'PHYSICAL' | 'DIGITAL' | 'MEETING' | 'MEMBERSHIP' | 'WEBINAR' | 'EVENT';
export type PricingType = 'SINGLE' | 'RECURRING' | 'FREE' | 'PAY_WHAT_YOU_WANT';

/** The fields that every type of product has. */
export interface ProductBase {
  id: string;
  title: string;
  slug: string;
  pricingType: PricingType;
  price: number;
  currency: string;
  category: { id: string; name: string; slug: string } | null;
  isActive: boolean;
  hasVariants: boolean;
  exposesVariants: boolean;
  requiresVariantSelection: boolean;
  buyUrl: string;
  productPageUrl: string;
  optionGroups: OptionGroup[];
  counts: { downloads: number; media: number; reviews: number };
  skus: Variant[];
  /** ISO 8601, UTC, milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  updatedAt: string;
}

export interface PlainProduct extends ProductBase {
  type: 'PHYSICAL' | 'DIGITAL';
}

export interface MeetingProduct extends ProductBase {
  type: 'MEETING';
  durationMinutes: number | null;
  timezone: string | null;
  location: string | null;
  bookingUrl: string | null;
}

export interface MembershipProduct extends ProductBase {
  type: 'MEMBERSHIP';
  interval: string | null;
  intervalCount: number | null;
  trialDays: number | null;
  benefits: string[] | null;
}

export interface WebinarProduct extends ProductBase {
  type: 'WEBINAR';
  startsAt: string | null;
  durationMinutes: number | null;
  timezone: string | null;
  joinUrl: string | null;
  replayUrl: string | null;
  speakers: string[] | null;
}

export interface EventProduct extends ProductBase {
  type: 'EVENT';
  startsAt: string | null;
  endsAt: string | null;
  timezone: string | null;
  venue: {
    name: string | null;
    address: string | null;
    city: string | null;
    country: string | null;
  } | null;
  onlineUrl: string | null;
  capacity: number | null;
}

/** The answer to a product look-up. */
export type Product = PlainProduct | MeetingProduct | MembershipProduct | WebinarProduct | EventProduct;
