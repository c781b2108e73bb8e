import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { mustBe } from './issues.js';
import { limits } from './limits.js';
import { isStorable } from './text.js';

/** Longest local part (RFC 5321). */
const localLength = 64;
/** Most UTF-16 code units of a text that may be one email, including a name before it as in `Ann <…>`. */
const wrappedLength = 1_024;

const label = String.raw`(?:[a-z0-9_-]|[^\x00-\x7f\s\p{P}\p{C}])+`;
/**
 * Pattern of a character before the `@`. RFC 5322 allows all others only in quotes. An escape of a URL, or a quote in front, would
 * silently be another person.
 */
const localCharacter = String.raw`(?!%[\da-f]{2})[^\s\p{C}"(),:;<>@[\\\]]`;
const whole = new RegExp(
  String.raw`^(?:mailto:)?((?!['=*|\x60])(?:${localCharacter}){1,${localLength}})@(${label}(?:\.${label})+)$`,
  'u',
);
const named = /^[^<>@]*<([^<>]*)>$/;
/** Matches lower-case emails of common characters, which `readEmail` does not change. It accepts more than `readEmail`. */
export const plainEmail = /^[a-z0-9._+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+(?<!-)$/;

/**
 * Reads a text that is one email, in the form in which emails are stored and compared: lower case, with the host in punycode.
 * Removes white space around it, invisible characters, `mailto:` and `Ann <…>`. Plus addresses stay distinct.
 * @returns null for any other text, such as two emails
 */
export function readEmail(text: string): string | null {
  if (text.length > wrappedLength) return null;
  const sent = text
    .replace(/\p{Cf}/gu, '')
    .replace(fullWidth, (character) => character.normalize('NFKC'))
    .trim();
  return readUnwrapped(sent) ?? readUnwrapped(withoutTyping(sent));
}

/**
 * The letters and signs of ASCII that East Asian input methods write. They mean the same mailbox. For other characters NFKC could
 * produce another mailbox.
 */
const fullWidth = /[\uff01-\uff5e]/g;

function readUnwrapped(sent: string): string | null {
  const email = (named.exec(sent)?.[1] ?? sent).trim().toLowerCase().normalize('NFC');
  const [, local, host] = whole.exec(email) ?? [];
  return local === undefined ? null : `${local}@${toPunycode(host!)}`;
}

const quoted = /^["'`\u2018-\u201f\u00ab\u00bb]+([^"]*?)["'`\u2018-\u201f\u00ab\u00bb]+$/;

/** Removes quotes, and punctuation at the end, that people type around an email. Only called for a text that is not an email. */
function withoutTyping(sent: string): string {
  const text = sent.replace(/(?<![.,;\s])[.,;\s]+$/, '');
  // Quotes around a plain local part mean nothing (RFC 5321, 4.1.2), and these full stops separate the labels of a host (UTS 46).
  return (quoted.exec(text)?.[1] ?? text)
    .replace(/^"([\w.+-]+)"@/, '$1@')
    .replace(/[\u3002\uff61](?=[^@]*$)/g, '.');
}

/**
 * Converts a host to punycode. A host that has no punycode is unchanged, because its order must be stored. So is an ASCII host,
 * because one of digits would become an address.
 */
function toPunycode(host: string): string {
  return /^[\x20-\x7e]*$/.test(host) ? host : domainToASCII(host) || host;
}

/** Reads an email as `readEmail` does; null if it has over 254 characters, or if PostgreSQL cannot store it. */
function readStorableEmail(text: string): string | null {
  // Most emails have this form, and reading another form takes longer.
  if (text.length <= limits.email && plainEmail.test(text)) return text;
  const read = readEmail(text);
  return read !== null && read.length <= limits.email && isStorable(read) ? read : null;
}

/**
 * Pattern of a letter or a digit; `letterOrDash` also matches `-` and `_`. Both are written in ASCII, because gateways write a
 * pattern into a header.
 */
const letter = String.raw`[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\s]`;
const letterOrDash = String.raw`[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\xbf\s]`;
const plainLabel = `${letter}(?:${letterOrDash}*${letter})?`;
/** Characters that no local part in the API document has. */
const notLocal = String.raw`\s"(),:;<>@\[\]\\%\x00-\x1f\x7f-\x9f`;

/**
 * Pattern of an email without wrapping, for the API document. It is stricter than `readEmail`, and only uses features that the
 * regular expressions of every language have.
 */
const documentedEmail = String.raw`^[^${notLocal}'=*|\x60][^${notLocal}]{0,${localLength - 1}}@(?:${plainLabel}\.)+${plainLabel}$`;

/** Schema of an email, which `readEmail` reads. It has at most 254 characters after reading. */
export const emailSchema = z
  .string({ error: mustBe('a string', { isRequired: true }) })
  .meta({ maxLength: limits.email, pattern: documentedEmail })
  .transform((sent, context) => {
    const read = readStorableEmail(sent);
    if (read !== null) return read;
    context.addIssue({ code: 'custom', message: refusalOf(sent) });
    return z.NEVER;
  });

/** Matches a hash in place of an email: SHA-256, SHA-1 or MD5 in hex, or SHA-256 in base64. */
const hash = /^(?:[\da-f]{64}|[\da-f]{40}|[\da-f]{32}|[A-Za-z\d+/]{43}=)$/i;

function refusalOf(sent: string): string {
  const text = sent.trim();
  if (text.length > limits.email) return `must be at most ${limits.email} characters`;
  if (hash.test(text)) return 'must be the email itself, not a hash of it';
  if (/\p{Cc}/u.test(text)) return 'must hold no control character';
  if (/@[^@\s]+,[^@\s]+$/.test(text))
    return 'must be one email address, with a point after the @ and no comma';
  if (/%[\da-f]{2}/i.test(text)) return 'must be an email address without escapes of URLs: send @ for %40';
  if (/^[^\s@]+ \S+@\S+$/.test(text))
    return 'must be an email address without a space: a plus in a URL becomes one, unless it is written as %2B';
  return sent.indexOf('@') === sent.lastIndexOf('@')
    ? 'must be an email address such as ann@shop.example'
    : 'must be one email address such as ann@shop.example, without a second @';
}

/** The end of every made-up address: a host that no name server will ever know (RFC 2606). */
export const noEmailHost = '@no-email.invalid';
/** Characters of the id in a made-up address. A local part has at most 64, and the longest kind of source has 11. */
const idLength = 50;

/**
 * Makes up the address of an order without an email, from the shop system and its id of the customer or the order. Of a long id the
 * end is used, because its beginning is a prefix.
 */
export function madeUpEmail(kind: string, id: string): string {
  const name = id.toLowerCase().replace(/[^a-z0-9._-]+/g, '-');
  return `${kind}-${name.slice(-idLength)}${noEmailHost}`;
}

/** @returns true for an address that `madeUpEmail` made; it receives no messages */
export function isMadeUpEmail(email: string): boolean {
  return email.endsWith(noEmailHost);
}

/** Writes an email as people see it. */
export function shownEmail(email: string): string {
  return isMadeUpEmail(email) ? 'no email' : email;
}

/** Replaces an id that contains an email by its hash. The same id is still found, and nothing in it needs to be erased. */
export function withoutEmail(id: string): string {
  return /@|%40/.test(id) ? `sha256:${createHash('sha256').update(id).digest('hex')}` : id;
}
