import { hash, randomInt, randomUUID } from 'node:crypto';

/** Crockford's base32, lower case, as TypeID uses it (github.com/jetify-com/typeid, spec 0.3). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digitOf = new Map([...alphabet].map((letter, value) => [letter, value]));
/** Letter pairs of all ten-bit numbers, in both cases. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet[bits >> 5]! + alphabet[bits & 31]!);
const upperPairs = pairs.map((pair) => pair.toUpperCase());
/** The value of each hex digit, by its character code. */
const nibbleOf = Uint8Array.from(
  { length: 128 },
  (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0,
);
const hyphenCode = '-'.charCodeAt(0);

/** Prefixes of ids. Callers see `<prefix>_<26 characters>`; the code and the database use UUIDs. */
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
  | 'sig'
  | 'ref'
  | 'src'
  | 'hook'
  | 'msg';

/** A UUID in hex with hyphens, the text form of PostgreSQL's `uuid`. */
export type Uuid = string;

/** The nil UUID (RFC 9562), which no row has. It replaces a `teamId` that is not an id. */
export const nilUuid: Uuid = '00000000-0000-0000-0000-000000000000';

/** Creates a UUIDv7 (RFC 9562). It sorts by time, so indexes grow at their right end. */
export function newUuid(nowMs = Date.now()): Uuid {
  if (nowMs !== uuidMs) {
    uuidMs = nowMs;
    uuidStart = uuidStartOf(nowMs);
  }
  // Node creates UUIDv4 from a pool, so this reuses its variant and random bits, and replaces 48 bits and the version.
  return uuidStart + randomUUID().slice(15);
}

/** The part that all UUIDv7 of a millisecond share. */
let uuidStart = '';
let uuidMs = Number.NaN;

/** Creates the first UUIDv7 of a millisecond. No order that was reported at that time or later has a lower id. */
export function firstUuid(ms: number): Uuid {
  return `${uuidStartOf(Math.max(0, ms))}000-8000-000000000000`;
}

/** Returns the time of a UUIDv7, in milliseconds since 1970. */
export function timeOfUuid(id: Uuid): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Writes 48 bits of time and the version. */
function uuidStartOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/**
 * Derives the UUIDv8 (RFC 9562) of a person from team and email. So an order can name its buyer before the database knows if that
 * person is new. The hash includes the installation's secret, so nobody can guess the email from the id.
 */
export function personUuid(secret: string, teamId: Uuid, email: string): Uuid {
  const hex = hash('sha256', secret + teamId + email, 'hex');
  const variant = '89ab'[nibbleOf[hex.charCodeAt(16)]! & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes a UUID as a TypeID, such as `ord_01h455vb4pex5vsknk084sn02q`. */
export function encodeId(prefix: IdPrefix, uuid: Uuid): string {
  // 128 bits with two leading zero bits are 26 groups of five. By character codes, because slices and `parseInt` took five times as
  // long.
  let text = `${prefix}_`;
  let bits = 0;
  let bitCount = 2;
  for (let at = 0; at < uuid.length; at++) {
    const code = uuid.charCodeAt(at);
    if (code === hyphenCode) continue;
    bits = (bits << 4) | nibbleOf[code]!;
    bitCount += 4;
    if (bitCount < 10) continue;
    bitCount -= 10;
    text += pairs[(bits >> bitCount) & 1023]!;
  }
  return text;
}

/** Reads a TypeID of that prefix; null for any other text. */
export function decodeId(prefix: IdPrefix, text: string): Uuid | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  const letters = text.slice(prefix.length + 1);
  let hex = '';
  // The reverse of `encodeId`: the first two letters are eight bits; then four letters are five hex digits.
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

/**
 * Creates an order number: `ORD-` and 13 characters of Crockford's base32. Nine are the time in milliseconds, so that indexes grow
 * at their right end. Four count up from a random number, so that servers with the same team rarely create the same number.
 */
export function newOrderNumber(nowMs = Date.now()): string {
  if (nowMs !== numberMs) {
    numberMs = nowMs;
    numberStart = `ORD-${timeLetters(nowMs)}`;
    lastCount = randomInt(2 ** 20);
  }
  lastCount = (lastCount + 1) % 2 ** 20;
  return numberStart + upperPairs[lastCount >> 10]! + upperPairs[lastCount & 1023]!;
}

/** The part that the order numbers of a millisecond share, that millisecond, and the last counter after it. */
let numberStart = '';
let numberMs = Number.NaN;
let lastCount = 0;

function timeLetters(ms: number): string {
  let letters = '';
  for (let rest = ms; letters.length < 9; rest = Math.floor(rest / 32))
    letters = alphabet[rest % 32]! + letters;
  return letters.toUpperCase();
}

function hyphenate(hex: string): Uuid {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
