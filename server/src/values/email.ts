import { domainToASCII } from 'node:url';
import { limits } from './limits.js';
import { isStorable } from './text.js';

/** Longest local part (RFC 5321). */
export const localLength = 64;
/** Longest text that is read as one email, with a name before it. */
const wrappedLength = 1_024;

const label = String.raw`(?:[a-z0-9_-]|[^\x00-\x7f\s\p{P}\p{C}])+`;
/** RFC 5322 has the other characters in quotes only. An escape, or a quote in front, would silently be another person. */
const localCharacter = String.raw`(?!%[\da-f]{2})[^\s\p{C}"(),:;<>@[\\\]]`;
const whole = new RegExp(
  String.raw`^(?:mailto:)?((?!['=*|\x60])(?:${localCharacter}){1,${localLength}})@(${label}(?:\.${label})+)$`,
  'u',
);
const named = /^[^<>@]*<([^<>]*)>$/;
/**
 * Pattern of a lower-case email of common characters, which `readEmail` does not change; it accepts more.
 */
export const plainEmail = /^[a-z0-9._+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+(?<!-)$/;

/**
 * Reads a text that is one email, in the form in which emails are stored and compared: lower case, and a host in punycode.
 * White space around it, characters that nobody sees, `mailto:` and `Ann <…>` go. Null for any other text, such as two
 * emails. Plus addresses stay distinct.
 */
export function readEmail(text: string): string | null {
  if (text.length > wrappedLength) return null;
  const sent = text.replace(/\p{Cf}/gu, '').trim();
  const email = (named.exec(sent)?.[1] ?? sent).trim().toLowerCase().normalize('NFC');
  const [, local, host] = whole.exec(email) ?? [];
  return local === undefined ? null : `${local}@${toPunycode(host!)}`;
}

/** A host that has no punycode stays, because its order has to be stored; so does one of digits, which would become an address. */
function toPunycode(host: string): string {
  return /^[\x20-\x7e]*$/.test(host) ? host : domainToASCII(host) || host;
}

/** Reads an email as `readEmail` does. Null for one of over 254 characters, and for one that PostgreSQL cannot store. */
export function readStorableEmail(text: string): string | null {
  // Most are, and to read one of another form takes longer.
  if (text.length <= limits.email && plainEmail.test(text)) return text;
  const read = readEmail(text);
  return read !== null && read.length <= limits.email && isStorable(read) ? read : null;
}
