import { timingSafeEqual } from 'node:crypto';

/** Compares bytes in constant time. Their length is no secret. */
export function isSameSecret(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
