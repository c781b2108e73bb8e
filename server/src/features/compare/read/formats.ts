import type { Source } from '@orderbeacon/sdk/contract';
import { keysOf } from '../../../values/csvHeads.js';
import { type FileField, knownColumns } from './knownColumns.js';

/** A program's export, with the properties in which it differs from other files. */
export interface Format {
  name: string;
  /**
   * Heads by which the export is recognised: no other file has all of them. They are spelled exactly. Of an inner list, one head is
   * enough.
   */
  own: readonly (string | readonly string[])[];
  /** Heads of the export's columns by field, where they differ from `knownColumns`. */
  columns?: Partial<Record<FileField, string>>;
  /** Source of the export's orders, if no column states it. */
  source?: Source;
  /** Currency of all amounts in the export. */
  currency?: string;
  dateOrder?: 'dmy' | 'mdy';
  /** The export to use instead, if this one has no totals of orders. */
  betterExport?: string;
  /**
   * Recognises rows that are not orders. `head` names the column with a row's kind, and `orders` matches the kinds of orders. A row
   * without an order id, or with a negative amount, is not an order either.
   */
  otherRows?: { head?: string; orders?: RegExp };
}

const woo = 'orders with totals and emails, from a plugin such as Advanced Order Export';

/** Exports that are recognised by their head line. */
export const formats: readonly Format[] = [
  {
    // `order export` writes this format, too. The currency is the default of a report.
    name: 'Orderbeacon',
    own: ['orderId', 'amount'],
    columns: { orderId: 'orderId', name: 'name' },
    currency: 'USD',
  },
  {
    name: 'Shopify orders',
    own: ['Name', 'Financial Status', 'Total'],
    // Only the first line of an order has its totals and id. All of its lines have its name.
    columns: { orderId: 'Id, Name', group: 'Name', name: 'Billing Name, Shipping Name' },
    source: 'OTHER',
  },
  {
    name: 'Squarespace orders',
    own: ['Order ID', 'Financial Status', 'Lineitem variant'],
    source: 'OTHER',
  },
  {
    name: 'Wix orders',
    own: ['Order number', 'Total order quantity'],
    columns: { name: 'Billing name' },
    source: 'OTHER',
  },
  {
    name: 'Etsy orders',
    own: ['Sale Date', 'Order ID', 'Order Total'],
    columns: { name: 'Full Name', lastName: '' },
    dateOrder: 'mdy',
    source: 'OTHER',
  },
  {
    name: 'Etsy order items',
    own: ['Sale Date', 'Order ID', 'Item Total'],
    dateOrder: 'mdy',
    betterExport: 'the “Orders” of Etsy',
  },
  {
    // Stripe's API tables have these columns in other letters, and amounts in the smallest unit.
    name: 'Stripe payments',
    own: ['id', 'Amount', 'Amount Refunded', 'Status'],
    columns: {
      orderId: 'orderId (metadata), PaymentIntent ID, id',
      keys: 'PaymentIntent ID, id, Invoice ID, Checkout Session ID',
      email: 'Customer Email, email (metadata)',
      name: 'Customer Name, Card Name',
      mode: 'Mode',
    },
    source: 'STRIPE',
  },
  {
    name: 'Stripe balance',
    own: ['balance_transaction_id', 'reporting_category', ['customer_facing_amount', 'gross']],
    columns: {
      orderId: 'payment_metadata[orderId], payment_intent_id, charge_id, source_id',
      keys: 'payment_intent_id, charge_id, source_id',
      amount: 'customer_facing_amount, gross',
      currency: 'customer_facing_currency, currency',
    },
    otherRows: { head: 'reporting_category', orders: /^charge$/ },
    source: 'STRIPE',
  },
  {
    name: 'PayPal activity',
    own: ['From Email Address', 'Transaction ID', 'Gross'],
    columns: {
      orderId: 'Invoice Number, Invoice ID, Custom Number, Transaction ID',
      keys: 'Transaction ID',
      amount: 'Gross',
      email: 'From Email Address',
    },
    // A payment that was held or refunded has separate rows.
    otherRows: {
      head: 'Type, Description',
      orders: /^(?!.*(?:hold|release|refund|reversal)).*(?:payment|checkout)/i,
    },
    source: 'PAYPAL',
  },
  {
    name: 'PayPal activity',
    own: ['Absender E-Mail-Adresse', 'Transaktionscode', 'Brutto'],
    columns: {
      // PayPal translates “Custom Number” like this.
      orderId: 'Rechnungsnummer, Zollnummer, Transaktionscode',
      keys: 'Transaktionscode',
      amount: 'Brutto',
      email: 'Absender E-Mail-Adresse',
    },
    otherRows: {
      head: 'Typ, Beschreibung',
      orders: /^(?!.*(?:rück|einbehalt|reserv|freigabe|auszahlung|einzahlung|storn)).*(?:zahlung|kauf)/i,
    },
    source: 'PAYPAL',
  },
  {
    name: 'Square transactions',
    own: ['Total Collected', 'Transaction ID', 'Payment ID'],
    columns: {
      orderId: 'Order Reference ID, Transaction ID',
      keys: 'Transaction ID, Payment ID',
      amount: 'Total Collected',
      source: '',
    },
    otherRows: { head: 'Event Type', orders: /^payment$/i },
    source: 'OTHER',
  },
  {
    name: 'Square items',
    own: ['Price Point Name', 'Transaction ID'],
    columns: { orderId: 'Transaction ID', keys: 'Transaction ID, Payment ID', source: '' },
    otherRows: { head: 'Event Type', orders: /^payment$/i },
    betterExport: 'the transactions of Square',
  },
  {
    name: 'Gumroad sales',
    own: ['Purchase ID', 'Item Name', ['Purchase Email', 'Purchase Date']],
    columns: {
      orderId: 'Purchase ID',
      amount: 'Sale Price ($)',
      email: 'Purchase Email, Email',
      refunded: 'Partial Refund ($)',
      isRefunded: 'Fully Refunded?',
      time: 'Purchase Time (UTC timezone)',
    },
    currency: 'USD',
    source: 'OTHER',
  },
  {
    name: 'WooCommerce Analytics',
    own: ['Order #', 'N. Revenue (formatted)'],
    columns: { amount: 'N. Revenue (formatted)', name: 'Customer' },
    otherRows: {},
    source: 'OTHER',
  },
  {
    // This version has only net sales, without tax and shipping.
    name: 'WooCommerce Analytics',
    own: ['Order #', ['N. Revenue', 'Net sales']],
    columns: { name: 'Customer' },
    otherRows: {},
    betterExport: woo,
  },
  {
    name: 'WooCommerce orders',
    own: [
      ['Order Number', 'Order ID', 'order_number', 'order_id'],
      ['Order Total Amount', 'Order Total', 'order_total', 'Total'],
      ['Email (Billing)', 'Billing Email Address', 'Billing Email', 'billing_email', 'First Name (Billing)'],
    ],
    columns: { email: 'billing_email, Email (Billing), Billing Email Address, Customer Email' },
    source: 'OTHER',
  },
];

/** Returns the heads of a field's columns as keys, the preferred one first. */
export function columnsOf(format: Format | null, field: FileField): string[] {
  return keysOf(format?.columns?.[field] ?? knownColumns[field]);
}
