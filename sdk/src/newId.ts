/**
 * Makes an id of at most 36 characters: the time in base 36 (eight characters until the year 2059) and 128
 * random bits. Ids sort by age, so that the server's unique index grows at its right end and the outbox
 * needs no date of its own. `crypto.randomUUID` is missing on insecure origins, `getRandomValues` is not.
 */
export function newId(): string {
  return crypto
    .getRandomValues(new Uint32Array(4))
    .reduce((id, word) => id + word.toString(36), Date.now().toString(36));
}

/** The time in milliseconds since 1970 that an id was made at. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8), 36);
}
