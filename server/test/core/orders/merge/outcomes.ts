import { expect } from 'vitest';
import { eraseBuyer } from '../../../../src/core/orders/merge/eraseBuyer.js';
import { foldStatements } from '../../../../src/core/orders/merge/foldStatements.js';
import { groupStatements } from '../../../../src/core/orders/merge/groupStatements.js';
import { joinVersions, toObject } from '../../../../src/core/orders/merge/joinVersions.js';
import type { StatedObject, Statement } from '../../../../src/core/orders/merge/statement.js';

/** An operator's erasure of an object. */
export interface Mark {
  marked: string;
}

/** What arrives. */
export type Saying = Statement | Mark;

export const isMark = (saying: Saying): saying is Mark => 'marked' in saying;

/** Lets sayings arrive one by one, and remembers of each object what the fold needs. */
export function remember(sayings: readonly Saying[]): StatedObject[] {
  const known = new Map<string, StatedObject>();
  const marks = new Set(sayings.filter(isMark).map(({ marked }) => marked));
  for (const [index, saying] of sayings.entries()) {
    if (isMark(saying)) continue;
    const said = toObjectAt(saying, String(index).padStart(6, '0'));
    const before = known.get(said.object);
    const joined = before ? joinVersions(before, said) : said;
    known.set(said.object, marks.has(said.object) ? eraseBuyer(joined) : joined);
  }
  return [...known.values()];
}

const made = new WeakMap<Statement, StatedObject>();

/** Makes the object of a statement once for many orders of arrival. */
function toObjectAt(statement: Statement, arrived: string): StatedObject {
  const object = made.get(statement) ?? toObject(statement);
  made.set(statement, object);
  const askedAt = statement.askedAt == null ? null : arrived;
  const parts = Object.entries(object.parts).map(([name, part]) => [name, { ...part, arrived, askedAt }]);
  return { ...object, arrived, parts: Object.fromEntries(parts) };
}

/** The orders, with the ids of their objects, and what has no order: all that the laws speak of, in one order. */
export function outcomeOf(sayings: readonly Saying[]) {
  const { groups, waiting, setAside } = groupStatements(remember(sayings));
  const idsOf = (objects: readonly StatedObject[]) => objects.map(({ object }) => object).sort();
  const orders = groups.map((group) => ({ objects: idsOf(group.objects), ...foldStatements(group) }));
  const byObjects = (order: (typeof orders)[number]) => order.objects.join();
  return {
    orders: orders.sort((a, b) => (byObjects(a) < byObjects(b) ? -1 : 1)),
    waiting: idsOf(waiting),
    setAside: idsOf(setAside),
  };
}

export type Outcome = ReturnType<typeof outcomeOf>;

/**
 * Puts sayings into another order of arrival, save what law 1 excepts: these keep their order of first arrival. Of pages, of
 * presses, of a backend's words that say no time, or the same, and of an object's versions of one and the same time the arrival
 * decides. What a shop is asked for arrives in the order of asking.
 */
export function arrange(sayings: readonly Saying[], permuted: readonly Saying[]): Saying[] {
  interface Exception {
    left: Saying[];
    mapped: Map<Saying, Saying>;
  }
  const classes = new Map<string, Exception>();
  for (const saying of sayings) {
    const of: Exception = classes.get(exceptionOf(saying)) ?? { left: [], mapped: new Map() };
    if (!of.left.includes(saying)) of.left.push(saying);
    classes.set(exceptionOf(saying), of);
  }
  return permuted.map((saying) => {
    const { left, mapped } = classes.get(exceptionOf(saying))!;
    const instead = mapped.get(saying) ?? left.shift()!;
    mapped.set(saying, instead);
    return instead;
  });
}

function exceptionOf(saying: Saying): string {
  if (isMark(saying)) return `mark ${saying.marked}`;
  const { speaker, kind, object, version, askedAt, stage, isCorrected } = saying;
  if (speaker === 'backend' && kind === 'refund') return object;
  if (speaker === 'backend') return `backend ${version} ${isCorrected}`;
  if (speaker !== 'shop') return speaker;
  return `${object} ${version} ${askedAt != null} ${stage} ${isCorrected}`;
}

/** All orders of a list. */
export function* permutationsOf<Member>(list: readonly Member[]): Generator<Member[]> {
  if (list.length <= 1) yield [...list];
  for (const [index, member] of list.entries())
    for (const rest of permutationsOf(list.toSpliced(index, 1))) yield [member, ...rest];
}

/** An order as tests look at it: what was said, the buyer, and the sum of what was returned. */
function inShort({ objects, fields, buyer, refunds, ...order }: Outcome['orders'][number]) {
  const said = Object.entries(fields).filter(([, value]) => value !== null);
  return {
    ...(Object.fromEntries(said) as Partial<typeof fields>),
    buyer: buyer?.personId ?? null,
    returned: refunds.reduce((sum, { counts }) => sum + Number(counts), 0),
    refundIds: refunds.map(({ refundId }) => refundId),
    createdAt: order.createdAt,
    reportedBy: order.reportedBy,
    erasedBy: order.erasedBy,
    objects,
  };
}

/** The orders of sayings, after a look whether every order of arrival ends in them. */
export function tell(...sayings: Saying[]) {
  const outcome = outcomeOf(sayings);
  for (const permuted of permutationsOf(sayings))
    expect(outcomeOf(arrange(sayings, permuted))).toEqual(outcome);
  return { ...outcome, orders: outcome.orders.map(inShort) };
}
