/** Objects of Stripe as in its documentation, shortened by hand. */

type StripeFields = Record<string, unknown>;

/** Makes an event about an object. */
export function stripeEvent(type: string, object: StripeFields, fields: StripeFields = {}) {
  return {
    id: `evt_${type}`,
    object: 'event',
    api_version: '2025-03-31.basil',
    created: 1_763_800_000,
    livemode: true,
    type,
    data: { object },
    ...fields,
  };
}

/** Makes a paid Checkout session. */
export const session = (fields: StripeFields = {}) => ({
  id: 'cs_live_a1B2c3D4e5F6',
  object: 'checkout.session',
  amount_subtotal: 4_500,
  amount_total: 4_990,
  client_reference_id: 'customer-7',
  currency: 'usd',
  customer: 'cus_NffrFeUfNV2Hib',
  customer_details: { email: 'ann@shop.example', name: 'Ann Example', phone: null, tax_exempt: 'none' },
  customer_email: null,
  invoice: null,
  livemode: true,
  metadata: {},
  mode: 'payment',
  payment_intent: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  payment_status: 'paid',
  status: 'complete',
  total_details: { amount_discount: 100, amount_shipping: 500, amount_tax: 90 },
  ...fields,
});

/** Makes a PaymentIntent that has succeeded. */
export const payment = (fields: StripeFields = {}) => ({
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  amount: 4_990,
  amount_capturable: 0,
  amount_received: 4_990,
  currency: 'usd',
  customer: null,
  latest_charge: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
  livemode: true,
  metadata: {},
  receipt_email: 'ann@shop.example',
  shipping: null,
  status: 'succeeded',
  ...fields,
});

/** Makes a captured charge of that payment. */
export const charge = (fields: StripeFields = {}) => ({
  id: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
  object: 'charge',
  amount: 4_990,
  amount_captured: 4_990,
  amount_refunded: 0,
  billing_details: { address: {}, email: 'ann@shop.example', name: 'Ann Example', phone: null },
  captured: true,
  currency: 'usd',
  livemode: true,
  metadata: {},
  paid: true,
  payment_intent: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  receipt_email: null,
  status: 'succeeded',
  ...fields,
});

/** Makes a paid invoice of a subscription. */
export const invoice = (fields: StripeFields = {}) => ({
  id: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
  object: 'invoice',
  amount_due: 1_500,
  amount_paid: 1_500,
  billing_reason: 'subscription_cycle',
  currency: 'eur',
  customer_email: 'ann@shop.example',
  customer_name: 'Ann Example',
  lines: {
    object: 'list',
    data: [
      {
        id: 'il_1',
        amount: 1_500,
        currency: 'eur',
        description: '1 × Coffee (at €15.00)',
        pricing: { type: 'price_details', price_details: { price: 'price_2', product: 'prod_2' } },
        quantity: 1,
      },
    ],
  },
  livemode: true,
  metadata: {},
  parent: { subscription_details: { metadata: { orderId: 'of-the-subscription' }, subscription: 'sub_1' } },
  status: 'paid',
  ...fields,
});

/** Makes a refund of a part of that payment. */
export const refund = (fields: StripeFields = {}) => ({
  id: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
  object: 'refund',
  amount: 1_000,
  charge: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
  created: 1_763_900_000,
  currency: 'usd',
  metadata: {},
  payment_intent: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  reason: 'requested_by_customer',
  status: 'succeeded',
  ...fields,
});

/** Makes the payment of that invoice by that PaymentIntent. */
export const invoicePayment = (fields: StripeFields = {}) => ({
  id: 'inpay_1M3USa2eZvKYlo2CBjuwbq0N',
  object: 'invoice_payment',
  amount_paid: 1_500,
  amount_requested: 1_500,
  created: 1_763_800_001,
  currency: 'eur',
  invoice: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
  is_default: true,
  livemode: true,
  payment: { payment_intent: 'pi_3MtwBwLkdIwHu7ix28a3tqPa', type: 'payment_intent' },
  status: 'paid',
  ...fields,
});

/** Makes a lost dispute about that payment. */
export const dispute = (fields: StripeFields = {}) => ({
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 4_990,
  charge: 'ch_3MtwBwLkdIwHu7ix2FEIVVqK',
  created: 1_763_850_000,
  currency: 'usd',
  is_charge_refundable: false,
  livemode: true,
  metadata: {},
  payment_intent: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  reason: 'fraudulent',
  status: 'lost',
  ...fields,
});
