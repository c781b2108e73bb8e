/** Characters that are compared. Sorting marks takes the square of their number: 14 s for 200,000. */
const charactersCompared = 128;
/** Most heads that an error lists. */
const headsListed = 20;

/** Heads of a CSV file's columns about a person, the preferred one first. */
export const personHeads = {
  email: `email, customer email, billing email, email billing, billing email address, email address, e-mail, buyer email,
    contact email, customer email address, user email, e-mail-adresse, adresse e-mail, correo electrónico`,
  // A plain "Name" may be an item's, so it comes late.
  name: `customer name, billing name, full name, buyer name, user name, billing first name, first name billing, first name,
    vorname, prénom, nom, name, customer`,
  lastName: `billing last name, last name billing, last name, nachname, nom`,
} as const;

/** Makes the head of a column comparable. `Created (UTC)` and `created_utc` get the same key, and so do `Währung` and `Wahrung`. */
export function columnKey(head: string): string {
  return head
    .slice(0, charactersCompared)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '');
}

/** Returns the keys of a list of heads, in its order. */
export function keysOf(heads: string): string[] {
  return heads.split(',').map(columnKey).filter(Boolean);
}

/** @returns true for the key of a column of first names, which a column of last names completes */
export function isOfFirstNames(key: string): boolean {
  return /first|vorname|prenom/.test(key);
}

/** Lists the heads of a file, shortened. */
export function listHeads(head: readonly string[]): string {
  const names = head.slice(0, headsListed).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
  return `It has: ${names.join(', ')}${head.length > headsListed ? ', …' : ''}.`;
}
