import { hash, randomFillSync, randomUUID } from 'node:crypto';

/** Crockford's base32, lower case, as TypeID spells it (github.com/jetify-com/typeid, spec 0.3). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digitOf = new Map([...alphabet].map((letter, value) => [letter, value]));
/** Two letters for each ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!);

/** The kinds of things that have an id; outside they read `<prefix>_<26 characters>`, inside they are UUIDs. */
export type IdPrefix = 'team' | 'key' | 'prd' | 'grp' | 'val' | 'sku' | 'cat' | 'ppl' | 'seq' | 'sub' | 'ord';

/** A UUID in its usual hex form, as PostgreSQL's `uuid` takes and gives it. */
export type Uuid = string;

/** The id of nothing (RFC 9562): stands in where a text that names no team has to name one. */
export const nilUuid: Uuid = '00000000-0000-0000-0000-000000000000';

/** Makes a UUIDv7 (RFC 9562): ordered by time, so that indexes grow at their right end. */
export function newUuid(nowMs = Date.now()): Uuid {
  const time = nowMs.toString(16).padStart(12, '0');
  // Node's UUIDv4 comes from a pool, with the variant in its place: 48 of its bits and its version give way.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * Makes the UUIDv8 (RFC 9562) of a person from team and email, so that an order can name its buyer before
 * the database has said whether that person is new. Keyed with a secret of the installation: the id tells
 * nobody the email.
 */
export function personUuid(secret: string, teamId: Uuid, email: string): Uuid {
  const hex = hash('sha256', secret + teamId + email, 'hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3];
  return hyphenate(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
}

/** Writes a UUID as a TypeID, such as `ord_01h455vb4pex5vsknk084sn02q`. */
export function encodeId(prefix: IdPrefix, uuid: Uuid): string {
  const hex = uuid.replaceAll('-', '');
  // 128 bits fill 26 groups of five behind two zero bits: eight bits make the first two letters, then
  // every five hex digits make four.
  let text = `${prefix}_${pairs[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let at = 2; at < 32; at += 5) {
    const bits = Number.parseInt(hex.slice(at, at + 5), 16);
    text += pairs[bits >> 10]! + pairs[bits & 1023]!;
  }
  return text;
}

/** Reads a TypeID of that prefix. Null for anything else: what is no id names nothing. */
export function decodeId(prefix: IdPrefix, text: string): Uuid | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  const letters = text.slice(prefix.length + 1);
  let hex = '';
  // The way of `encodeId` back: two letters of eight bits, then four letters make five hex digits.
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

/** Random bytes, valid until the next call: one call into the system's generator serves 256 ids. */
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
