import { domainToASCII } from 'node:url';
import { decodeText } from './decodeText.js';
import { limits } from './limits.js';
import { isStorable } from './text.js';

/** Longest local part (RFC 5321). */
export const localLength = 64;
/** Longest text that is read as one email, with a name and wrapping. */
const wrappedLength = 1_024;

const label = String.raw`(?:[a-z0-9_-]|[^\x00-\x7f\s\p{P}\p{C}])+`;
/** A Japanese keyboard types `。` for the point of a host. One that ends a sentence mostly has no Latin letter behind it. */
const wideStop = /[\u3002\uff61]/;
const point = String.raw`(?:\.|${wideStop.source}(?=[a-z0-9]))`;
const host = `${label}(?:${point}${label})+`;
/**
 * Pattern of a lower-case email of common characters, which `readEmail` does not change; it accepts more.
 */
export const plainEmail = /^[a-z0-9._+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+(?<!-)$/;

/** Characters of a local part; RFC 5322 has the others in quotes only. */
const localCharacter = String.raw`[^\s\p{C}"(),:;<>@[\\\]]`;
const wholeEmail = new RegExp(`^(${localCharacter}{1,${localLength}})@(${host})$`, 'u');
/** Matches from the `@` and looks back from there, because a search for the local part would be quadratic. */
const anyEmail = new RegExp(`@(?<=(${localCharacter}{1,${localLength}})@)(${host})`, 'gu');
/** Characters that a local part may hold, though they mostly stand before an email, as in `?to=ann@shop.example`. */
const beforeEmail = /(?![.\-_+'])[\p{P}\p{S}]|\p{Lo}(?!\p{Lo})/gu;
const plainLocal = /^[a-z0-9][a-z0-9._+-]*$/;
const edge = /^[.\-_+']+/;
/** Here and below a run of characters is looked at from its first one alone: from each took 8 s for 64 KiB. */
const punctuationBehind = /(?<![-_.])[-_.]+$/;

const openingCharacters = String.raw`[\s\p{Ps}\p{Pi}\p{Pf}<"'\x60*|=]*`;
const opening = new RegExp(`^${openingCharacters}(?:mailto:/*${openingCharacters})?`, 'u');
const closing = /(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$/u;
/** A name before an email in angle brackets, or behind one in parentheses. */
const named =
  /^(?<before>[^<>]*)<(?<angled>[^<>]*)>[\s.,;]*$|^(?=[^()]*@)(?<bare>[^()]*)\((?<behind>[^()]*)\)\s*$/;

/**
 * Reads a text that holds one email, in the form in which emails are stored and compared: lower case, a host in punycode,
 * no wrapping. Wrapping is white space, quotes, brackets, `mailto:`, a full stop, a name (`Ann <ann@shop.example>`),
 * invisible characters, and the escapes that `decodeText` undoes. Null for any other text, such as two emails. Plus
 * addresses stay distinct. `emailsIn` finds in a text each email that this reads in it.
 */
export function readEmail(text: string): string | null {
  if (text.length > wrappedLength) return null;
  const plain = toPlain(text);
  const { before, angled, bare, behind } = named.exec(plain)?.groups ?? {};
  const name = before ?? behind ?? '';
  const inner = unwrap(angled ?? bare ?? plain);
  const [, local, hostName] = wholeEmail.exec(inner.replace(punctuationBehind, '')) ?? [];
  if (local === undefined) return null;
  const email = `${local}@${toHost(hostName!)}`;
  // Mail programs write the email where a person has no name.
  for (const other of name.includes('@') ? emailsIn(name) : []) if (other !== email) return null;
  return email;
}

/**
 * Removes the wrapping of an email, with the query of a `mailto:`. In steps, because one pattern for all of it took 18 ms for
 * 1,024 brackets.
 */
function unwrap(text: string): string {
  const inner = text.replace(opening, '').replace(closing, '');
  const query = inner.indexOf('?', inner.indexOf('@'));
  // A query with an email makes two of them, which are none.
  return query === -1 || inner.includes('@', query) ? inner : inner.slice(0, query);
}

/**
 * Finds the emails in a text of any kind, such as the body of a report that could not be read, in the form of `readEmail`.
 * An email is not found inside a longer one. Where it is not clear where an email begins, each place counts, for example
 * `to=ann@shop.example` and `ann@shop.example`. Its time is linear: 1 ms for a common
 * body of 64 KiB, some 20 ms for the worst.
 */
export function emailsIn(text: string): Set<string> {
  return emailsInPlain(toPlain(text));
}

/** True when `emailsIn` finds an email in a text. Looks at the emails of a text only if it holds the local part of this one. */
export function mentionsEmail(text: string, email: string): boolean {
  const plain = toPlain(text);
  const local = email.slice(0, email.lastIndexOf('@') + 1);
  return plain.includes(local) && emailsInPlain(plain).has(email);
}

function emailsInPlain(plain: string): Set<string> {
  const emails = new Set<string>();
  for (const [, run, found] of plain.matchAll(anyEmail)) {
    for (const hostName of hostsIn(found!)) {
      if (hostName.length > limits.email) continue;
      const name = toHost(hostName);
      if (name.includes('.')) for (const local of localsIn(run!)) emails.add(`${local}@${name}`);
    }
  }
  return emails;
}

/** Lists the host and, where a `。` may have ended a sentence, the one that stands before it. */
function hostsIn(found: string): string[] {
  const name = found.replace(punctuationBehind, '');
  const endAt = name.search(wideStop);
  return endAt === -1 ? [name] : [name, name.slice(0, endAt)];
}

/** Lists the local parts that begin at the first possible place and at the last eight, with and without the punctuation there. */
function localsIn(run: string): string[] {
  if (plainLocal.test(run)) return [run];
  const starts = [...run.matchAll(beforeEmail)].map(({ index, 0: character }) => index + character.length);
  const locals = [0, ...starts.slice(-8)].map((start) => run.slice(start));
  return locals
    .flatMap((local) => [local, local.replace(/^'+/, ''), local.replace(edge, '')])
    .filter(Boolean);
}

/**
 * Thirty marks in a row, behind which a joiner keeps the others apart (UAX 15, stream-safe text). To put marks in order takes
 * the square of their number: 0.6 s for a body of 64 KiB.
 */
const marks = /\p{M}{30}(?=\p{M})/gu;

/** Undoes escapes, removes invisible characters, and unifies letters that look the same: case, accents, full width. */
function toPlain(text: string): string {
  return decodeText(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .toLowerCase()
    .replace(marks, '$&\u034f')
    .normalize('NFC');
}

/** Turns a host into punycode. A host that has none stays, because its order has to be stored. */
function toHost(name: string): string {
  return /^[\x20-\x7e]*$/.test(name) ? name : domainToASCII(name) || name;
}

/** Reads an email as `readEmail` does. Null for one of over 254 characters, and for one that PostgreSQL cannot store. */
export function readStorableEmail(text: string): string | null {
  // Most are, and to read one of another form takes twenty times as long.
  if (text.length <= limits.email && plainEmail.test(text)) return text;
  const read = readEmail(text);
  return read !== null && read.length <= limits.email && isStorable(read) ? read : null;
}
