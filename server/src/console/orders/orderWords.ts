import { shownEmail } from '../../values/madeUpEmail.js';

/** Writes the email of a buyer: `no email` for one that was made up, because the order has none, and `erased` without one. */
export function noEmail(email: string | null): string {
  return email === null ? 'erased' : shownEmail(email);
}
