/**
 * Makes an id of at most 48 characters: the time in base 36 (eight characters until the year 2059), then 128
 * random bits. Ids sort by age, so that the server's unique index grows at its right end and the outbox needs
 * no date. `crypto.randomUUID` is missing on insecure origins, `getRandomValues` is not.
 */
export function newId(): string {
  return Date.now().toString(36) + crypto.getRandomValues(new Uint32Array(4)).join('');
}
