import { columnKey } from '../../../values/csvHeads.js';

const keysOf = (words: string) => new Set(words.split(/\s+/));

/** Status words for a paid order, also if refunded, without spaces and accents. */
const paid =
  keysOf(`paid partiallyrefunded refunded partialrefund partiallyreturned completed complete succeeded success
  successful charge captured settled onbackorderpaid
  bezahlt abgeschlossen erstattet ruckerstattet teilweiseerstattet ausgezahlt
  remboursee rembourse reembolsado rimborsato terugbetaald`);
/** PrestaShop's "Payment accepted" in several languages, and similar statuses. */
const paymentReceived =
  /^(?:remote)?payment(?:s|remotely)?(?:is|was)?(?:accepted|received|complete|completed|confirmed|captured|successful|succeeded|approved)$|^(?:paiementaccepte|pagoaceptado|pagamentoaccettato|pagamentoaceito|zahlung(?:eingegangen|erhalten|akzeptiert|bestatigt)|betaling(?:aanvaard|geaccepteerd))/;
/** Status words for an order on its way. It may be unpaid, as with cash on delivery. */
const onItsWay =
  keysOf(`processing shipped partiallyshipped delivered fulfilled partiallyfulfilled awaitingfulfillment
  awaitingshipment awaitingpickup processinginprogress preparationinprogress inbearbeitung versendet versandt`);
/** Status words for an unpaid order. */
const unpaid =
  keysOf(`unpaid notpaid pending pendingpayment paymentpending awaitingpayment onhold holded draft
  checkoutdraft incomplete authorized partiallypaid partiallyauthorized uncaptured requirespaymentmethod requiresaction
  requiresconfirmation requirescapture cancelled canceled voided void failed declined denied rejected expired abandoned blocked
  reversed trash deleted paymenterror paymentreview pendingpaypal pendingreview suspectedfraud fraud onbackordernotpaid
  awaitingbankwirepayment awaitingbankwiretransferpayment awaitingcheckpayment awaitingchequepayment awaitingpaypalpayment
  awaitingcashondeliveryvalidation awaitingcodvalidation
  offen storniert fehlgeschlagen wartend ausstehend abgebrochen abgelehnt zuruckgezogen`);
const cancelled =
  /^(?:cancel|void|delet|trash|draft|stornier|annul|anula|geannuleerd|avbr[ou]|annuller|zrusen|peruut)/;

/** The payment of an order by its status. `open` states nothing about it. It counts as paid if no column denies it. */
export type StatusVerdict = 'paid' | 'open' | 'unpaid' | 'unknown';

/** Reads a status. `unknown` is a word that may or may not mean paid. */
export function judgeStatus(status: string, alsoPaid: ReadonlySet<string>): StatusVerdict {
  const word = columnKey(status).replace(/^wc(?=\p{L})/u, '');
  if (paid.has(word) || paymentReceived.test(word) || alsoPaid.has(columnKey(status))) return 'paid';
  if (word === '' || onItsWay.has(word)) return 'open';
  // A user who names words for paid has named all of them.
  return unpaid.has(word) || alsoPaid.size > 0 ? 'unpaid' : 'unknown';
}

/** @returns true if a state's word means that the order was cancelled, deleted or never placed */
export function isCancelled(state: string): boolean {
  return cancelled.test(columnKey(state).replace(/^wc(?=\p{L})/u, ''));
}
