/** The fields that a row of a file can have, and the heads of their columns in any file, the preferred one first. */
export const knownColumns = {
  orderId: `order number, order id, order no, order #, order name, order reference`,
  amount: `amount, order total, order total amount, order total inc tax, grand total, total, total amount, total price,
    total paid, order amount, amount paid`,
  currency: `currency, order currency, currency code, order currency code`,
  email: `email, customer email, billing email, email billing, billing email address, email address, e-mail, buyer email,
    contact email, customer email address`,
  createdAt: `created at, created date, date created, order date, order created, created utc, created date utc, created,
    date, sale date, purchase date, date ordered, paid at, paid date, date paid`,
  /** The time of day, where the date's column has none. */
  time: `time, order time, time created`,
  name: `name, customer name, billing name, full name, buyer name, customer, billing first name, first name billing, first name`,
  lastName: `billing last name, last name billing, last name`,
  status: `payment status, financial status, order status, status, transaction status, state`,
  /** Tells of a cancelled order. Apart from that it says nothing about the payment. */
  delivery: `fulfillment status`,
  mode: `is test`,
  source: `source`,
  paymentMethod: `payment method, payment method title`,
  /** The provider's own ids of the payment, by which a source may know the order. */
  keys: '',
  /** Names the order on each of its lines. */
  group: '',
} as const;

/** One of the fields of a row. */
export type FileField = keyof typeof knownColumns;

/** Makes the head of a column comparable: `Created (UTC)` and `created_utc` are the same. */
export function columnKey(head: string): string {
  return head
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '');
}

/** The fields, in the order in which people are told of their columns. */
export const fileFields = Object.keys(knownColumns) as FileField[];

/** Heads of what a line of an order is about. A file with one has a line for each item. */
export const itemColumns =
  keysOf(`item, item name, item title, item sku, product, product name, product title, product id,
  product sku, sku, variant, lineitem, lineitem name, lineitem sku, line item`);
/** Heads of an item's amounts. */
export const itemAmounts =
  keysOf(`item total, item amount, item subtotal, line total, line amount, line item total,
  lineitem total, lineitem amount`);
/** Heads of an item's price. Beside one an amount is the order's. */
export const itemPrices = keysOf(`price, unit price, item price, product price, lineitem price, item cost`);

function keysOf(heads: string): ReadonlySet<string> {
  return new Set(heads.split(',').map(columnKey));
}
