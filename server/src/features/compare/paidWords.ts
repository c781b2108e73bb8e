import { columnKey } from '../../values/csvHeads.js';

const keysOf = (words: string) => new Set(words.split(/\s+/));

/** Words of programs for an order that was paid, refunded ones too, without spaces and accents. */
const paid =
  keysOf(`paid partiallyrefunded refunded partialrefund completed complete processing succeeded success successful charge
  captured settled shipped partiallyshipped delivered fulfilled
  partiallyfulfilled awaitingfulfillment awaitingshipment awaitingpickup
  bezahlt abgeschlossen inbearbeitung erstattet ruckerstattet teilweiseerstattet versendet versandt`);
/** Words for one that was not. */
const unpaid = keysOf(`unpaid notpaid pending pendingpayment paymentpending awaitingpayment onhold draft
  checkoutdraft incomplete authorized partiallypaid partiallyauthorized uncaptured requirespaymentmethod requiresaction
  requiresconfirmation requirescapture cancelled canceled voided void failed declined denied rejected expired abandoned blocked
  reversed trash deleted offen storniert fehlgeschlagen wartend ausstehend abgebrochen`);

/** Says of a status if the order was paid. An empty one says nothing, and counts as paid. Null for a word of which nobody knows. */
export function isPaidWord(status: string, alsoPaid: ReadonlySet<string>): boolean | null {
  const word = columnKey(status).replace(/^wc(?=\p{L})/u, '');
  if (word === '' || paid.has(word) || alsoPaid.has(columnKey(status))) return true;
  // Whoever has named the words for paid has named all of them.
  return unpaid.has(word) || alsoPaid.size > 0 ? false : null;
}

/** True for a word of a delivery that says that the order was cancelled. */
export function isCancelled(delivery: string): boolean {
  return /^cancel/.test(columnKey(delivery));
}

/** True for a status of an order whose money went back. */
export function isRefunded(status: string): boolean {
  return columnKey(status).includes('refund');
}
