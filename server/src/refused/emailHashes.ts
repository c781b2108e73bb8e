import { hash } from 'node:crypto';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { emailsIn } from '../values/email.js';

/** Characters that are read without a pause, and those of them that the piece before has, too. No email is longer. */
const pieceCharacters = 8 * 1024;
const sharedCharacters = 2 * 1024;
/** A piece that took longer is followed by a pause of four times that, so that reading costs a fifth of the CPU at most. */
const shortMs = 1;
/** Hashes of one body: as many emails of six letters have no place in 64 KiB. */
const hashesAtMost = 20_000;

/**
 * Hashes each email that a body mentions, so that the reports of a person are found without reading all bodies. Reads in
 * pieces, with pauses, because a body that a stranger made up can take 80 ms. Null for a body with more ways to read
 * emails in it than any order has.
 */
export async function hashEmails(body: string): Promise<number[] | null> {
  const hashes = new Set<number>();
  for (let from = 0; from < body.length; from += pieceCharacters - sharedCharacters) {
    const startedMs = performance.now();
    for (const email of emailsIn(body.slice(from, from + pieceCharacters))) hashes.add(hashEmail(email));
    if (hashes.size > hashesAtMost) return null;
    const tookMs = performance.now() - startedMs;
    await (tookMs > shortMs ? delay(4 * tookMs) : turn());
  }
  return [...hashes];
}

/** Hash of an email, as PostgreSQL's integer. Some emails share one, so the body has to be read before it is erased. */
export function hashEmail(email: string): number {
  return hash('sha256', email, 'buffer').readInt32BE();
}
