import type { Source } from '@orderbeacon/sdk/contract';

/** The fields that a row of a file can have. */
export const fileFields = [
  'orderId',
  'amount',
  'currency',
  'email',
  'createdAt',
  'name',
  'lastName',
  'status',
  'paymentId',
  'mode',
  'group',
  'source',
  'paymentMethod',
] as const;

/** One of `fileFields`. */
export type FileField = (typeof fileFields)[number];

/**
 * A program's export. Names of columns stand as `columnKey` makes them. Of several names for a field the first one that the
 * file has counts; for `orderId` the first one that the row fills.
 */
export interface ShopExport {
  name: string;
  /** Columns that the head line must have: one of each list. */
  marks: readonly (readonly string[])[];
  columns: Partial<Record<FileField, readonly string[]>>;
  /** The source of the orders that are stored from it, where no column tells. */
  source: Source;
  /** True where it has no totals of orders. */
  hasNoTotals?: boolean;
  /** True where a report's own default for the currency holds. */
  isOurs?: boolean;
}

/** Exports that are recognised by their head line, the most exact first. */
export const shopExports: readonly ShopExport[] = [
  {
    // Also what `order export` writes.
    name: 'Orderbeacon',
    marks: [['orderid'], ['amount']],
    columns: {
      orderId: ['orderid'],
      amount: ['amount'],
      currency: ['currency'],
      email: ['email'],
      createdAt: ['createdat'],
      name: ['name'],
      status: ['paymentstatus', 'financialstatus', 'orderstatus', 'status'],
      mode: ['istest'],
      source: ['source'],
    },
    source: 'MANUAL',
    isOurs: true,
  },
  {
    name: 'Shopify orders',
    marks: [['financialstatus'], ['name'], ['total']],
    columns: {
      orderId: ['id', 'name'],
      // Only the first line of an order has its totals and its id; all have its name.
      group: ['name'],
      amount: ['total'],
      currency: ['currency'],
      email: ['email'],
      createdAt: ['createdat', 'paidat'],
      name: ['billingname', 'shippingname'],
      status: ['financialstatus'],
      paymentMethod: ['paymentmethod'],
    },
    source: 'OTHER',
  },
  {
    name: 'Stripe payments',
    marks: [['id'], ['amount'], ['amountrefunded'], ['status']],
    columns: {
      orderId: ['orderidmetadata', 'paymentintentid', 'id'],
      paymentId: ['paymentintentid', 'id'],
      amount: ['amount'],
      currency: ['currency'],
      email: ['customeremail', 'emailmetadata'],
      createdAt: ['createdutc', 'createddateutc', 'created'],
      name: ['customername', 'cardname'],
      status: ['status'],
      mode: ['mode'],
    },
    source: 'STRIPE',
  },
  {
    name: 'Stripe balance',
    marks: [['balancetransactionid'], ['reportingcategory'], ['customerfacingamount', 'gross']],
    columns: {
      orderId: ['paymentmetadataorderid', 'paymentintentid', 'chargeid', 'sourceid'],
      paymentId: ['paymentintentid'],
      amount: ['customerfacingamount', 'gross'],
      currency: ['customerfacingcurrency', 'currency'],
      email: ['customeremail'],
      createdAt: ['createdutc', 'created'],
      name: ['customername'],
      status: ['reportingcategory'],
    },
    source: 'STRIPE',
  },
  {
    name: 'WooCommerce orders',
    marks: [
      ['ordernumber', 'orderid'],
      ['ordertotalamount', 'ordertotal', 'total'],
    ],
    columns: {
      orderId: ['ordernumber', 'orderid'],
      amount: ['ordertotalamount', 'ordertotal', 'total'],
      currency: ['ordercurrency', 'currency'],
      email: ['billingemail', 'emailbilling', 'billingemailaddress', 'customeremail', 'email'],
      createdAt: ['orderdate', 'datecreated', 'createddate', 'date', 'paiddate'],
      name: ['billingfirstname', 'firstnamebilling', 'customername'],
      lastName: ['billinglastname', 'lastnamebilling'],
      status: ['orderstatus', 'status'],
      paymentMethod: ['paymentmethod', 'paymentmethodtitle'],
    },
    source: 'OTHER',
  },
  {
    name: 'WooCommerce analytics',
    marks: [['order#'], ['nrevenue', 'netsales', 'nrevenueformatted']],
    columns: {
      orderId: ['order#'],
      createdAt: ['date'],
      status: ['status'],
      name: ['customer'],
    },
    source: 'OTHER',
    // It has net sales, without tax and shipping.
    hasNoTotals: true,
  },
];

/** Makes the name of a column comparable: `Created (UTC)` and `created_utc` are the same. */
export function columnKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '');
}

/** Words of programs for an order that was paid, refunded ones too, without spaces. */
const paid = new Set(
  `paid partiallyrefunded refunded completed complete processing succeeded success charge shipped delivered fulfilled
  bezahlt abgeschlossen inbearbeitung erstattet rückerstattet teilweiseerstattet versendet versandt`.split(
    /\s+/,
  ),
);

/** True for a status of an order that was paid. An empty one says nothing, and counts as paid. */
export function isPaid(status: string, alsoPaid: ReadonlySet<string>): boolean {
  const word = columnKey(status).replace(/^wc(?=\p{L})/u, '');
  return word === '' || paid.has(word) || alsoPaid.has(columnKey(status));
}
