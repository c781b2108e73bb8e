import { keysOf, personHeads } from '../../../values/csvHeads.js';

/** The fields of a row, and the heads of their columns in any file, the preferred one first. */
export const knownColumns = {
  orderId: `order number, order id, order no, order #, order name, order reference, increment id, id order, bestellnummer, bestellnr, auftragsnummer,
    numéro de commande, commande, número de pedido, numero ordine, ordernummer, bestelnummer, número do pedido`,
  amount: `amount, order total, order total amount, order total inc tax, grand total, total, total amount, total price,
    total paid, grand total purchased, grand total base, order amount, amount paid, amount total, total paid tax incl, total inc tax, total incl tax, gesamtbetrag, gesamtsumme, bestellsumme, montant total,
    total de la commande, importe total, total del pedido, totale ordine, totaalbedrag, total do pedido`,
  currency: `currency, order currency, currency code, order currency code, währung, devise, moneda, moeda, valuta`,
  email: personHeads.email,
  createdAt: `created at, created date, date created, order date, order created, created utc, created date utc, created,
    order date time, date, sale date, purchase date, purchased on, date ordered, creation date,
    transaction date, date added, date add, date placed, placed at, placed on, placed date, order placed, order placed at,
    date purchased, purchased at, created time, created on, creation time, sold on, sold at, sale time, date sold, ordered at, ordered on, ordered date, order timestamp, timestamp, completed at, date completed,
    processed at, datum, bestelldatum, auftragsdatum, erstellungsdatum, date de commande, fecha, fecha del pedido, data ordine, besteldatum, data do pedido`,
  /** The time of day, if the date's column has none. */
  time: `time, order time, time created, uhrzeit, hora, heure`,
  /** The zone of the row's times. */
  zone: `time zone, zeitzone`,
  name: personHeads.name,
  lastName: personHeads.lastName,
  status: `payment status, payment state, financial status, order status, order state, status, transaction status, state,
    order status name, order state name, orders status name, status name, state name, current state name, orders status,
    order status id, order state id, orders status id, status id, state id, current state,
    zahlungsstatus, bestellstatus, statut du paiement, statut de la commande, statut, estado del pago, estado del pedido,
    estado, stato pagamento, stato ordine, stato, betaalstatus, status do pedido, situação`,
  mode: '',
  source: `source`,
  paymentMethod: `payment method, payment method title`,
  /** The payment of the row. An order may have several. */
  payment: `payment intent id, paymentintent id, payment intent, payment id, charge id, transaction id, txn id, transaction reference,
    payment reference, payment transaction id, transaktionscode, transaktions id, transaktionsnummer, zahlungsreferenz`,
  /** Ids that the payment provider gave to the payment. They also find an order that a connected source has reported. */
  keys: '',
  refunded: `refunded amount, amount refunded, refund amount, total refunded, refunded total, refund total, total refund, total refunds,
    order refund amount, order refund total, order total refunded, refunds, partial refunds, partial refund, refund, refunded value,
    returned amount, erstattungsbetrag, erstatteter betrag, erstattung, rückerstattung, rückerstattungsbetrag, montant remboursé,
    remboursement, importe reembolsado, importo rimborsato, terugbetaald bedrag`,
  /** A yes or a date that shows that the order was refunded. */
  isRefunded: `fully refunded, refunded, is refunded, was refunded, refunded at, refunded on, refunded date, refunded date utc,
    refund date, date refunded, erstattet, erstattet am, remboursé, reembolsado, rimborsato`,
  /** The id that all lines of one order have in common. */
  group: '',
} as const;

/** Name of a field of a row. */
export type FileField = keyof typeof knownColumns;

/** The fields, in the order in which messages list them. */
export const fileFields = Object.keys(knownColumns) as FileField[];

/** Heads of an item's columns. A file with one of them has a line for each item. */
export const itemColumns = new Set(
  keysOf(`item, item name, item title, item sku, product, product name, product title, product id,
  product sku, sku, variant, lineitem, lineitem name, lineitem sku, line item`),
);
/** Heads of an item's amounts. */
export const itemAmounts = new Set(
  keysOf(`item total, item amount, item subtotal, line total, line amount, line item total,
  lineitem total, lineitem amount`),
);
/** Heads of an item's price. In a file with one of them, `amount` is the order's. */
export const itemPrices = new Set(
  keysOf(`price, unit price, item price, product price, lineitem price, item cost`),
);
