/** A visitor id, as the script makes it. */
export const annsVisitor = 'mhq3k9xz34112233441234567890';

/** Writes money in the shop's currency and the buyer's, as Shopify states it. */
export const set = (shop: string, presented = shop, currency = 'EUR', buyers = currency) => ({
  shop_money: { amount: shop, currency_code: currency },
  presentment_money: { amount: presented, currency_code: buyers },
});

/** Makes the relevant parts of a paid order, in the form of a webhook of `orders/paid`, version 2025-10. */
export const paidOrder = (id: number, more: object = {}) => ({
  id,
  admin_graphql_api_id: `gid://shopify/Order/${id}`,
  cancelled_at: null,
  confirmation_number: 'XPAV284CT',
  confirmed: true,
  contact_email: 'ann@shop.example',
  created_at: '2026-03-01T10:00:00+01:00',
  currency: 'EUR',
  current_total_price: '49.90',
  customer: { id: 115310627, email: 'ann@shop.example', first_name: 'Ann', last_name: 'Example' },
  discount_codes: [{ code: 'SPRING', amount: '5.00', type: 'fixed_amount' }],
  email: 'ann@shop.example',
  financial_status: 'paid',
  line_items: [
    {
      id: 866550311,
      product_id: 7,
      variant_id: 71,
      sku: 'TEE-M',
      title: 'T-shirt',
      name: 'T-shirt - M',
      variant_title: 'M',
      quantity: 2,
      price: '24.95',
      price_set: set('24.95'),
      properties: [{ name: 'engraving', value: 'For Bob' }],
      tax_lines: [{ price: '7.97', rate: 0.19, title: 'VAT' }],
      total_discount: '0.00',
      discount_allocations: [{ amount: '5.00', discount_application_index: 0 }],
    },
  ],
  name: '#1001',
  note: null,
  note_attributes: [{ name: '_orderbeacon_visitor', value: annsVisitor }],
  order_number: 1001,
  payment_gateway_names: ['shopify_payments'],
  presentment_currency: 'EUR',
  processed_at: '2026-03-01T10:00:00+01:00',
  refunds: [],
  source_name: 'web',
  tags: '',
  tax_lines: [{ price: '7.97', rate: 0.19, title: 'VAT' }],
  taxes_included: true,
  test: false,
  total_discounts: '5.00',
  total_discounts_set: set('5.00'),
  total_line_items_price: '49.90',
  total_outstanding: '0.00',
  total_price: '49.90',
  total_price_set: set('49.90'),
  total_shipping_price_set: set('5.00'),
  total_tax: '7.97',
  total_tax_set: set('7.97'),
  updated_at: '2026-03-01T10:00:02+01:00',
  billing_address: { first_name: 'Ann', last_name: 'Example', name: 'Ann Example', country_code: 'DE' },
  shipping_address: { first_name: 'Ann', last_name: 'Example', name: 'Ann Example', country_code: 'DE' },
  ...more,
});

/** Makes a transaction that returns money. */
export const returned = (id: number, amount: string, more: object = {}) => ({
  id,
  order_id: 5001,
  amount,
  authorization: null,
  created_at: '2026-03-05T09:00:00+01:00',
  currency: 'EUR',
  gateway: 'shopify_payments',
  kind: 'refund',
  parent_id: 801038806,
  processed_at: '2026-03-05T09:00:00+01:00',
  status: 'success',
  test: false,
  ...more,
});

/** Makes a refund, as `refunds/create` sends it and as an order lists it. */
export const refundOf = (orderId: number, id: number, transactions: object[], more: object = {}) => ({
  id,
  order_id: orderId,
  created_at: '2026-03-05T09:00:00+01:00',
  note: 'Too small',
  processed_at: '2026-03-05T09:00:00+01:00',
  restock: true,
  duties: [],
  order_adjustments: [],
  refund_line_items: [
    { id: 1, line_item_id: 866550311, quantity: 1, subtotal: 24.95, subtotal_set: set('24.95') },
  ],
  refund_shipping_lines: [],
  transactions,
  ...more,
});
