/** The end of every such address: a host that no name server will ever know (RFC 2606). */
export const noEmailHost = '@no-email.invalid';
/** A local part has 64 characters at most, and the longest kind of source 11. */
const idLength = 50;

/**
 * Makes the address under which an order without an email is stored: the shop system, and its id of the customer or the
 * order. Of a long id the end counts, because its beginning is a prefix.
 */
export function madeUpEmail(kind: string, id: string): string {
  const name = id.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  return `${kind}-${name.slice(-idLength)}${noEmailHost}`;
}

/** True for an address that `madeUpEmail` made: nobody gets a message there. */
export function isMadeUpEmail(email: string): boolean {
  return email.endsWith(noEmailHost);
}

/** Writes an email as people see it. */
export function shownEmail(email: string): string {
  return isMadeUpEmail(email) ? 'no email' : email;
}
