import { createHash } from 'node:crypto';
import { minuteMs } from '../../../values/time.js';
import { eraseBuyer, personalFields } from './eraseBuyer.js';
import {
  identifierText,
  isOfPage,
  type Part,
  type StatedAmount,
  type StatedFields,
  type StatedObject,
  type StatedRefund,
  type Statement,
} from './statement.js';

/** Newest amounts of an object that are kept; the greatest one is always kept, too. */
const amountsRemembered = 10;
/** Most identifiers kept of one object. A statement with more is stored without the rest. */
export const identifiersAtMost = 300;

/** Turns one statement into an object that has only this version. */
export function toObject(statement: Statement): StatedObject {
  const { speaker, kind, object, names, arrived, created, isDated, version, says, buyer, state } = statement;
  const part = (value: unknown): Part => ({
    version,
    askedAt: statement.askedAt ?? null,
    isCorrected: statement.isCorrected ?? false,
    stage: statement.stage ?? 0,
    arrived,
    digests: [digestOf(value)],
    value,
  });
  const { personId, amount, currency = null } = says;
  const parts: Record<string, Part> = {};
  const wasPaid = speaker !== 'shop' || state === 'paid' || (statement.wasPaid ?? false);
  // Of a shop order that was never paid, only the end, the buyer and the amount count: they match it with a page's order.
  const isBare = kind === 'shopOrder' && !wasPaid;
  if (speaker === 'shop') {
    const { order, person } = splitFields(says);
    if (!isBare) parts.order = part(order);
    if (!isBare && buyer !== 'withheld') parts.buyer = part(person);
    if (state !== undefined) parts.state = part(state);
    if (says.earlier && !isBare) parts.earlier = part(says.earlier);
  } else for (const [field, value] of Object.entries(says)) if (value != null) parts[field] = part(value);
  if (statement.refunds && !isBare) parts.refunds = part(statement.refunds);
  const isNamed = personId !== undefined;
  return {
    speaker,
    kind,
    object,
    names: unite(
      speaker === 'shop' ? [{ kind: 'provider', value: object }] : [],
      names,
      identifierText,
    ).slice(0, identifiersAtMost),
    arrived,
    created,
    // An order has the time of its payment, even if an earlier payment failed.
    isDated: isDated && !isBare,
    parts,
    isWholeList: statement.isWholeList ?? false,
    of: statement.of ?? null,
    since: statement.since ?? null,
    host: statement.host ?? null,
    wasPaid,
    buyers: isNamed ? [personId] : [],
    amounts: amount == null ? [] : [{ amount, currency, version }],
    namedAt: isNamed ? version : null,
    noneAt: buyer === 'none' ? version : null,
    erasedAt: buyer === 'erased' ? version : null,
    refundedAt: speaker === 'shop' ? timesOf(statement.refunds ?? []) : {},
    isMarked: false,
  };
}

/** Splits a shop's fields into those of the order and those about the person. A shop may withhold or erase the latter. */
function splitFields(says: StatedFields): { order: StatedFields; person: StatedFields } {
  const entries = Object.entries(says).filter(([name, value]) => value !== null && name !== 'earlier');
  return {
    order: Object.fromEntries(entries.filter(([name]) => !personalFields.has(name))),
    person: Object.fromEntries(entries.filter(([name]) => personalFields.has(name))),
  };
}

/**
 * Joins what is known of one object with another version of it. The result does not depend on the order of arrival, except if two
 * versions have the same time: then the later arrival counts.
 */
export function joinVersions(one: StatedObject, other: StatedObject): StatedObject {
  const [first, second] = one.arrived <= other.arrived ? [one, other] : [other, one];
  const parts: Record<string, Part> = { ...first.parts };
  for (const [name, part] of Object.entries(second.parts))
    parts[name] = parts[name] ? joinParts(parts[name], part, first.speaker) : part;
  const dated = [one, other].filter(({ isDated }) => isDated);
  const created = (dated.length > 0 ? dated : [one, other]).map((each) => each.created);
  const earliest = created.reduce((a, b) => (a < b ? a : b));
  const joined: StatedObject = {
    ...first,
    names: unite(first.names, second.names, identifierText).slice(0, identifiersAtMost),
    created: isSameCall(first, earliest) ? first.created : earliest,
    isDated: dated.length > 0,
    parts,
    isWholeList: first.isWholeList || second.isWholeList,
    of: first.of ?? second.of,
    since: later(first.since, second.since),
    host: first.host ?? second.host,
    wasPaid: first.wasPaid || second.wasPaid,
    buyers: unite(first.buyers, second.buyers, String).sort(),
    amounts: joinAmounts(first.amounts, second.amounts),
    namedAt: later(first.namedAt, second.namedAt),
    noneAt: later(first.noneAt, second.noneAt),
    erasedAt: later(first.erasedAt, second.erasedAt),
    refundedAt: joinTimes(first.refundedAt, second.refundedAt),
  };
  return first.isMarked || second.isMarked ? eraseBuyer(joined) : joined;
}

/** The time of a page's call is exact to the time that its report travelled. A try of the script takes at most 48 s. */
const travelMs = minuteMs;

/** @returns true if a page has reported at that time what it reported first: a retry that travelled faster changes no order */
const isSameCall = (first: StatedObject, earliest: string): boolean =>
  isOfPage(first) && Date.parse(first.created) - Date.parse(earliest) < travelMs;

/** Joins two values of a part. `first` arrived first. */
function joinParts(first: Part, second: Part, speaker: StatedObject['speaker']): Part {
  if (speaker === 'shop') return newerPart(first, second);
  return isLaterWord(second, first) ? second : first;
}

/**
 * Picks the part of the newer version. `digests[0]` is the digest of the part's value. A value that already came with the same time
 * is a repeat and changes nothing.
 */
function newerPart(first: Part, second: Part): Part {
  const isOneAnswer =
    first.version === second.version &&
    first.isCorrected === second.isCorrected &&
    first.stage === second.stage &&
    (first.askedAt !== null || second.askedAt === null);
  // An answer that repeats the known value is not written.
  if (isOneAnswer && first.digests[0] === second.digests[0]) return first;
  const order = compareVersions(first, second);
  if (order !== 0) return order < 0 ? second : first;
  const isRepeat = second.digests.every((digest) => first.digests.includes(digest));
  if (isRepeat) return first;
  return { ...second, digests: unite(second.digests, first.digests, String) };
}

/**
 * Compares two versions of a shop's object by their own times.
 * @returns below 0 if the second one is newer, 0 if the arrival decides
 */
function compareVersions(one: Part, other: Part): number {
  return (
    compare(one.version, other.version) ||
    Number(one.isCorrected) - Number(other.isCorrected) ||
    compare(one.askedAt, other.askedAt) ||
    one.stage - other.stage
  );
}

/**
 * @returns true if the later one of a report's two values replaces the earlier one. Its time of change is newer, or the times are
 *   the same and a person corrected the later value
 */
export function isLaterWord(word: Part, before: Part): boolean {
  const order = compare(word.version, before.version);
  return order > 0 || (order === 0 && word.isCorrected && !before.isCorrected);
}

const timesOf = (refunds: readonly StatedRefund[]): StatedObject['refundedAt'] =>
  Object.fromEntries(refunds.map(({ refundId, createdAt }) => [refundId, createdAt]));

function joinTimes(
  one: StatedObject['refundedAt'],
  other: StatedObject['refundedAt'],
): StatedObject['refundedAt'] {
  const joined = { ...one };
  for (const [refundId, time] of Object.entries(other))
    if (!joined[refundId] || time < joined[refundId]) joined[refundId] = time;
  return joined;
}

/** Compares two times. Null sorts before every time. */
function compare(one: string | null, other: string | null): number {
  if (one === other) return 0;
  return one === null || (other !== null && one < other) ? -1 : 1;
}

function later(one: string | null, other: string | null): string | null {
  return compare(one, other) < 0 ? other : one;
}

function joinAmounts(one: readonly StatedAmount[], other: readonly StatedAmount[]): StatedAmount[] {
  const all = unite(one, other, ({ amount, currency, version }) => `${amount} ${currency} ${version}`).sort(
    (a, b) => compare(b.version, a.version) || compare(a.amount, b.amount),
  );
  const kept = all.slice(0, amountsRemembered);
  const greatest = all.reduce((a, b) => (Number(b.amount) > Number(a.amount) ? b : a), all[0]!);
  return all.length === 0 || kept.includes(greatest) ? kept : [...kept, greatest];
}

/** Unites two lists without duplicates, the members of the first list first. */
function unite<Member>(
  one: readonly Member[],
  other: readonly Member[],
  idOf: (member: Member) => string,
): Member[] {
  const seen = new Set(one.map(idOf));
  return [...one, ...other.filter((member) => !seen.has(idOf(member)))];
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

/** The fields that an object states now. */
export function statedFields({ speaker, parts }: StatedObject): StatedFields {
  if (speaker === 'shop')
    return {
      ...(parts.order?.value as StatedFields | undefined),
      ...(parts.buyer?.value as StatedFields | undefined),
      ...(parts.earlier && { earlier: parts.earlier.value as StatedFields }),
    };
  const entries = Object.entries(parts).filter(([name]) => name !== 'refunds');
  return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
}

/**
 * @returns true if the shop erased the buyer, or names no buyer after it once named one. If an erasure and a buyer have the same
 *   time, the erasure is the later one.
 */
export function isErasedByShop(object: StatedObject): boolean {
  const { erasedAt, noneAt, namedAt, buyers } = object;
  const order = (time: string | null) => (time === null ? -1 : compare(time, namedAt));
  if (order(erasedAt) >= 0) return true;
  const isNamed = statedFields(object).personId !== undefined;
  return (order(noneAt) > 0 || (order(noneAt) === 0 && !isNamed)) && buyers.length > 0;
}
