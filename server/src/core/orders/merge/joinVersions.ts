import { createHash } from 'node:crypto';
import { eraseBuyer, personalFields } from './eraseBuyer.js';
import {
  identifierText,
  type Part,
  type StatedAmount,
  type StatedFields,
  type StatedObject,
  type StatedRefund,
  type Statement,
} from './statement.js';

/** Amounts of an object that are remembered beside the greatest. */
const amountsRemembered = 10;
/** Further names are not kept; the version is. */
export const identifiersAtMost = 300;

/** Turns one saying into the object that it alone would be. */
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
  // Of a shop order that was never paid nothing counts but its end, by whom it was, and how much a page would have reported.
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
    // An order has the time of its payment, also if it failed before.
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

/** Splits a shop's words into those of the order and those about the person, which it may withhold or erase. */
function splitFields(says: StatedFields): { order: StatedFields; person: StatedFields } {
  const entries = Object.entries(says).filter(([name, value]) => value !== null && name !== 'earlier');
  return {
    order: Object.fromEntries(entries.filter(([name]) => !personalFields.has(name))),
    person: Object.fromEntries(entries.filter(([name]) => personalFields.has(name))),
  };
}

/**
 * Joins what two sayings, or more, told of one object. The outcome does not depend on which one comes first, save for two
 * versions of one time, of which the later arrival counts.
 */
export function joinVersions(one: StatedObject, other: StatedObject): StatedObject {
  const [first, second] = one.arrived <= other.arrived ? [one, other] : [other, one];
  const parts: Record<string, Part> = { ...first.parts };
  for (const [name, part] of Object.entries(second.parts))
    parts[name] = parts[name] ? joinParts(parts[name], part, first.speaker) : part;
  const dated = [one, other].filter(({ isDated }) => isDated);
  const created = (dated.length > 0 ? dated : [one, other]).map((each) => each.created);
  const joined: StatedObject = {
    ...first,
    names: unite(first.names, second.names, identifierText).slice(0, identifiersAtMost),
    created: created.reduce((a, b) => (a < b ? a : b)),
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

/** Joins two values of a part; `first` arrived first. */
function joinParts(first: Part, second: Part, speaker: StatedObject['speaker']): Part {
  if (speaker === 'shop') return newerPart(first, second);
  return isLaterWord(second, first) ? second : first;
}

/** The part of the newer version. The first digest is that of its value; what came before with the same time is a repeat. */
function newerPart(first: Part, second: Part): Part {
  const isOneAnswer =
    first.version === second.version &&
    first.isCorrected === second.isCorrected &&
    first.stage === second.stage &&
    (first.askedAt !== null || second.askedAt === null);
  // What was asked for once more and is the same is no news: nothing is written of it.
  if (isOneAnswer && first.digests[0] === second.digests[0]) return first;
  const order = compareVersions(first, second);
  if (order !== 0) return order < 0 ? second : first;
  const isRepeat = second.digests.every((digest) => first.digests.includes(digest));
  if (isRepeat) return first;
  return { ...second, digests: unite(second.digests, first.digests, String) };
}

/** Compares two sayings of a shop by their own times: below 0 if the second one is newer, 0 if the arrival decides. */
function compareVersions(one: Part, other: Part): number {
  return (
    compare(one.version, other.version) ||
    Number(one.isCorrected) - Number(other.isCorrected) ||
    compare(one.askedAt, other.askedAt) ||
    one.stage - other.stage
  );
}

/**
 * True if a later word of a report takes the place of an earlier one: only a newer time of change does, or a person's correction
 * of the same time.
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

/** Null is before every time. */
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

/** The members of both lists, each once, those of the first one first. */
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

/** The words of an object that count now. */
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
 * True while the shop has erased the buyer, or names nobody where it once named somebody. A version that named the buyer in the second
 * of the erasure came before it.
 */
export function isErasedByShop(object: StatedObject): boolean {
  const { erasedAt, noneAt, namedAt, buyers } = object;
  const order = (time: string | null) => (time === null ? -1 : compare(time, namedAt));
  if (order(erasedAt) >= 0) return true;
  const isNamed = statedFields(object).personId !== undefined;
  return (order(noneAt) > 0 || (order(noneAt) === 0 && !isNamed)) && buyers.length > 0;
}
