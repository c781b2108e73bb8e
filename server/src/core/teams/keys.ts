import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Mode of a key, and of the orders that it reports. */
export type KeyMode = 'live' | 'test';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^ob_(live|test)_[0-9A-Za-z]{36}$/;
const checksumLength = 6;

/**
 * Creates an API key, `ob_live_` or `ob_test_`, or a signing key, `ob_sign_`. Its prefix is followed by 30 random characters of
 * base62 (178 bits) and by six for the CRC32 of everything before. The checksum reveals a typing mistake without a look-up, and
 * secret scanners can verify it.
 */
export function newKey(kind: KeyMode | 'sign'): string {
  let body = `ob_${kind}_`;
  while (body.length < 38) {
    // 248 is the largest multiple of 62 in a byte. Bytes from 248 up would make the first characters more likely.
    for (const byte of randomBytes(40)) if (byte < 248 && body.length < 38) body += base62[byte % 62]!;
  }
  return body + checksum(body);
}

/** @returns true if the text has the form of an API key and its checksum is right. The key may still be unknown. */
export function isWellFormedKey(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Hashes a key with SHA-256, in hex. The hash is stored instead of the key. 178 random bits need no salt and no slow hash. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let at = 0; at < checksumLength; at++) {
    text = base62[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
