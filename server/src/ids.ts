import { hash, randomFillSync, randomUUID } from 'node:crypto';

/** Crockford's base32, lower case, as TypeID spells it (github.com/jetify-com/typeid, spec 0.3). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digitOf = new Map([...alphabet].map((letter, value) => [letter, value]));
/** The two letters of each ten-bit number. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!);

/** What has an id. Callers see `<prefix>_<26 characters>`; the code and the database use UUIDs. */
export type IdPrefix =
  | 'team'
  | 'key'
  | 'prd'
  | 'grp'
  | 'val'
  | 'sku'
  | 'cat'
  | 'ppl'
  | 'seq'
  | 'sub'
  | 'ord'
  | 'ses'
  | 'ref';

/** A UUID in hex with hyphens, the text form of PostgreSQL's `uuid`. */
export type Uuid = string;

/** The nil UUID (RFC 9562), which no row has: stands for a `teamId` that is not an id. */
export const nilUuid: Uuid = '00000000-0000-0000-0000-000000000000';

/** Makes a UUIDv7 (RFC 9562). It sorts by time, so indexes grow at their right end. */
export function newUuid(nowMs = Date.now()): Uuid {
  const time = nowMs.toString(16).padStart(12, '0');
  // Node makes UUIDv4 from a pool, so this reuses its variant and random bits, and replaces 48 bits and the version.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The first UUIDv7 of a millisecond: no order that was reported at that time or later has a lower id. */
export function firstUuid(ms: number): Uuid {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * Makes the UUIDv8 (RFC 9562) of a person from team and email, so that an order can name its buyer before the
 * database knows whether that person is new. The installation's secret goes into the hash, so nobody can guess
 * the email from the id.
 */
export function personUuid(secret: string, teamId: Uuid, email: string): Uuid {
  const hex = hash('sha256', secret + teamId + email, 'hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3];
  return hyphenate(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

/** Writes a UUID as a TypeID, such as `ord_01h455vb4pex5vsknk084sn02q`. */
export function encodeId(prefix: IdPrefix, uuid: Uuid): string {
  const hex = uuid.replaceAll('-', '');
  // 128 bits with two leading zero bits are 26 groups of five. The first two letters are eight bits; then every
  // five hex digits make four letters.
  let text = `${prefix}_${pairs[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += pairs[bits >> 10]! + pairs[bits & 1023]!;
  }
  return text;
}

/** Reads a TypeID of that prefix; null for any other text. */
export function decodeId(prefix: IdPrefix, text: string): Uuid | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  const letters = text.slice(prefix.length + 1);
  let hex = '';
  // `encodeId` backwards: the first two letters are eight bits; then four letters make five hex digits.
  for (let at = 0; at < 26; at += at === 0 ? 2 : 4) {
    const count = at === 0 ? 2 : 4;
    let bits = 0;
    for (const letter of letters.slice(at, at + count))
      bits = bits * 32 + (digitOf.get(letter) ?? Number.NaN);
    if (Number.isNaN(bits) || (at === 0 && bits > 255)) return null;
    hex += bits.toString(16).padStart(at === 0 ? 2 : 5, '0');
  }
  return hyphenate(hex);
}

/** Makes an order number: `ORD-` and 10 random characters of Crockford's base32, 50 bits. */
export function newOrderNumber(): string {
  let number = 'ORD-';
  for (const byte of randomBytes(10)) number += alphabet[byte & 31]!;
  return number.toUpperCase();
}

const pool = Buffer.alloc(4096);
let poolUsed = pool.length;

/** Random bytes, valid until the next call. The pool of 4,096 serves 409 order numbers per call to the system. */
function randomBytes(count: number): Buffer {
  if (poolUsed + count > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += count;
  return pool.subarray(poolUsed - count, poolUsed);
}

function hyphenate(hex: string): Uuid {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
