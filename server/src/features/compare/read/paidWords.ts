import { columnKey } from '../../../values/csvHeads.js';

const keysOf = (words: string) => new Set(words.split(/\s+/));

/** Words of programs for an order that was paid, refunded ones too, without spaces and accents. */
const paid =
  keysOf(`paid partiallyrefunded refunded partialrefund partiallyreturned completed complete succeeded success
  successful charge captured settled onbackorderpaid
  bezahlt abgeschlossen erstattet ruckerstattet teilweiseerstattet ausgezahlt
  remboursee rembourse reembolsado rimborsato terugbetaald`);
/** "Payment accepted" of PrestaShop, in some languages, and others of its kind. */
const paymentReceived =
  /^(?:remote)?payment(?:s|remotely)?(?:is|was)?(?:accepted|received|complete|completed|confirmed|captured|successful|succeeded|approved)$|^(?:paiementaccepte|pagoaceptado|pagamentoaccettato|pagamentoaceito|zahlung(?:eingegangen|erhalten|akzeptiert|bestatigt)|betaling(?:aanvaard|geaccepteerd))/;
/** Words for one that is on its way, which cash on delivery is, too. */
const onItsWay =
  keysOf(`processing shipped partiallyshipped delivered fulfilled partiallyfulfilled awaitingfulfillment
  awaitingshipment awaitingpickup processinginprogress preparationinprogress inbearbeitung versendet versandt`);
/** Words for one that was not paid. */
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

/** The payment of an order as a status tells it. `open` says nothing of it, and counts as paid if no column denies it. */
export type StatusVerdict = 'paid' | 'open' | 'unpaid' | 'unknown';

/** Reads a status. `unknown` is a word of which nobody knows if it means paid. */
export function judgeStatus(status: string, alsoPaid: ReadonlySet<string>): StatusVerdict {
  const word = columnKey(status).replace(/^wc(?=\p{L})/u, '');
  if (paid.has(word) || paymentReceived.test(word) || alsoPaid.has(columnKey(status))) return 'paid';
  if (word === '' || onItsWay.has(word)) return 'open';
  // Whoever has named the words for paid has named all of them.
  return unpaid.has(word) || alsoPaid.size > 0 ? 'unpaid' : 'unknown';
}

/** @returns true if a word of any state says that the order was cancelled, deleted or never placed */
export function isCancelled(state: string): boolean {
  return cancelled.test(columnKey(state).replace(/^wc(?=\p{L})/u, ''));
}
