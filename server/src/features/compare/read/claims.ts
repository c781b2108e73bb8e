/**
 * A column besides the status that can deny that an order was paid.
 *
 * Its head decides its kind: paid (`Paid at`, `Captured`), ended (`Cancelled at`, `Deleted`), an amount that is due, an
 * amount that was paid, or another state.
 */
export interface Claim {
  kind: 'paid' | 'ended' | 'due' | 'paidAmount' | 'state';
  at: number;
  head: string;
}

/** Words in the head of a claim that do not change its kind. */
const plain =
  `(?:is|was|has|been|the|order|orders|payment|payments|transaction|sale|fully|full|in|at|on|of|date|time|datetime|
  timestamp|utc|gmt|flag|status|state|reason|am|datum|zeit|grund|le|el|il|la|de|op|wurde|ist)`.replace(
    /\s+/g,
    '',
  );
const of = (words: string) => new RegExp(`^(?:${plain} )*(?:${words.replace(/\n\s*/g, '')})(?: ${plain})*$`);
const paidHead =
  of(`paid|payed|success|successful|succeeded|bezahlt|paye|payee|pagado|pagada|pagato|pagata|betaald|betalt|betald|captured|settled|
  (?:payment|payments) (?:date|time|received|accepted|complete|completed|confirmed|at|on)|date of payment|paymentdate|
  paidat|paidon|ispaid|datepaid|zahlungsdatum|zahlungseingang|bezahldatum|date de paiement|date du paiement|fecha de pago|fecha del pago|data pagamento|data di pagamento|data do pagamento|betaaldatum`);
const endedHead =
  of(`cancelled|canceled|cancelled by|canceled by|cancel|cancellation|cancelation|cancelledat|canceledat|iscancelled|
  iscanceled|void|voided|voidedat|deleted|deletedat|isdeleted|deletion|removed|trash|trashed|failed|declined|rejected|refused|expired|expiredat|abandoned|reversed|draft|isdraft|storniert|storno|
  stornodatum|geloscht|annule|annulee|annulation|supprime|anulado|anulada|cancelado|cancelada|eliminado|annullato|annullata|
  geannuleerd|verwijderd`);
const due =
  /^(?:base |order )?(?:(?:amount|balance|total|payment) (?:due|outstanding|owed|owing|unpaid|remaining|open|left)|(?:due|outstanding|unpaid|remaining|open|owed) (?:amount|balance|total)|outstanding|amountdue|balancedue|totaldue|offener? betrag|offen|restbetrag|reste a payer|montant (?:du|restant)|(?:importe|saldo) pendiente|importo residuo|openstaand bedrag)$/;
const paidAmount =
  /^(?:base |order )?(?:(?:amount|total) (?:paid|received|captured|collected)(?: real)?|(?:paid|received|captured) (?:amount|total)|amountpaid|totalpaid|paidamount|bezahlter betrag|montant paye|importe pagado)$/;
const stateWords = `order|orders|payment|payments|financial|sale|sales|transaction|checkout|invoice|fulfillment|fulfilment|
  delivery|shipping|shipment|current|my|lifecycle|paiement|commande|pago|pedido|pagamento|ordine|de|du|la|le|del|dell|di|do`;
const state = new RegExp(
  `^(?:(?:STATE) )*(?:status|state|statut|estado|stato)(?: (?:STATE|name|text|label))*$|^(?:bezahl|zahl|zahlungs|auftrags|bestell|order|payment|versand|liefer)status$|^(?:payment|zahlung|paiement)$`.replaceAll(
    'STATE',
    stateWords.replace(/\n\s*/g, ''),
  ),
);
const modeHead =
  /^(?:(?:is|was) )?(?:(?:order|payment|transaction|in) )?(?:test|tests|testmode|test mode|test order|test payment|test transaction|testbestellung|sandbox|mode|environment|live|livemode|live mode|istest|islive)(?: (?:flag|mode))?$/;

/** Splits a head into words. `Paid On Date`, `paid_on_date` and `paidOnDate` give the same words. */
export function headWords(head: string): string {
  return head
    .slice(0, 128)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const kinds = [
  ['due', due],
  ['paidAmount', paidAmount],
  ['state', state],
  ['ended', endedHead],
  ['paid', paidHead],
] as const;

/** Finds the columns whose heads make a claim on the payment. */
export function findClaims(head: readonly string[]): Claim[] {
  return head.flatMap((name, at) => {
    const words = headWords(name);
    const [kind] = kinds.find(([, heads]) => heads.test(words)) ?? [];
    return kind ? [{ kind, at, head: name.trim() }] : [];
  });
}

const ofDelivery = /fulfil|deliver|ship|versand|liefer/;

/** @returns true if the claim's column can be the status, for a file without a known status column */
export function isStatus({ kind, head }: Claim): boolean {
  return kind === 'state' && /sta[td]/i.test(head) && !ofDelivery.test(headWords(head));
}

/** @returns true if the claim's head is about a payment */
export function isOfPayment({ head }: Claim): boolean {
  return /pay|zahl|paiement|pago|pagam|financ/.test(headWords(head));
}

/** Finds the columns that separate test from live orders. */
export function findModes(head: readonly string[]): number[] {
  return head.flatMap((name, at) => (modeHead.test(headWords(name)) ? [at] : []));
}
