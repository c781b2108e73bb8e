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

/** A statement or a mark, as it arrives. */
export type Arrival = Statement | Mark;

export const isMark = (arrival: Arrival): arrival is Mark => 'marked' in arrival;

/** Takes in statements one by one, and keeps of each object what the fold needs. */
export function remember(arrivals: readonly Arrival[]): StatedObject[] {
  const known = new Map<string, StatedObject>();
  const marks = new Set(arrivals.filter(isMark).map(({ marked }) => marked));
  for (const [index, arrival] of arrivals.entries()) {
    if (isMark(arrival)) continue;
    const stated = toObjectAt(arrival, String(index).padStart(6, '0'));
    const before = known.get(stated.object);
    const joined = before ? joinVersions(before, stated) : stated;
    known.set(stated.object, marks.has(stated.object) ? eraseBuyer(joined) : joined);
  }
  return [...known.values()];
}

const made = new WeakMap<Statement, StatedObject>();

/** Makes the object of a statement, once for many orders of arrival. */
function toObjectAt(statement: Statement, arrived: string): StatedObject {
  const object = made.get(statement) ?? toObject(statement);
  made.set(statement, object);
  const askedAt = statement.askedAt == null ? null : arrived;
  const parts = Object.entries(object.parts).map(([name, part]) => [name, { ...part, arrived, askedAt }]);
  return { ...object, arrived, parts: Object.fromEntries(parts) };
}

/** Computes the orders with the ids of their objects, and the objects without an order, in one canonical order. */
export function outcomeOf(arrivals: readonly Arrival[]) {
  const { groups, waiting, setAside } = groupStatements(remember(arrivals));
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
 * Rearranges statements to another order of arrival. Those that law 1 excepts keep their order, because for them the arrival
 * decides: statements of pages and of presses, of a backend without a time or with the same time, and versions of an object with
 * the same time. Answers to questions to a shop stay in the order of asking.
 */
export function arrange(arrivals: readonly Arrival[], permuted: readonly Arrival[]): Arrival[] {
  interface Exception {
    left: Arrival[];
    mapped: Map<Arrival, Arrival>;
  }
  const classes = new Map<string, Exception>();
  for (const arrival of arrivals) {
    const of: Exception = classes.get(exceptionOf(arrival)) ?? { left: [], mapped: new Map() };
    if (!of.left.includes(arrival)) of.left.push(arrival);
    classes.set(exceptionOf(arrival), of);
  }
  return permuted.map((arrival) => {
    const { left, mapped } = classes.get(exceptionOf(arrival))!;
    const instead = mapped.get(arrival) ?? left.shift()!;
    mapped.set(arrival, instead);
    return instead;
  });
}

function exceptionOf(arrival: Arrival): string {
  if (isMark(arrival)) return `mark ${arrival.marked}`;
  const { speaker, kind, object, version, askedAt, stage, isCorrected } = arrival;
  if (speaker === 'backend' && kind === 'refund') return object;
  if (speaker === 'backend') return `backend ${version} ${isCorrected}`;
  if (speaker !== 'shop') return speaker;
  return `${object} ${version} ${askedAt != null} ${stage} ${isCorrected}`;
}

/** Yields all orders of a list. */
export function* permutationsOf<Member>(list: readonly Member[]): Generator<Member[]> {
  if (list.length <= 1) yield [...list];
  for (const [index, member] of list.entries())
    for (const rest of permutationsOf(list.toSpliced(index, 1))) yield [member, ...rest];
}

/** Shortens an order for tests: its stated fields, the buyer, and the sum of what was returned. */
function inShort({ objects, fields, buyer, refunds, ...order }: Outcome['orders'][number]) {
  const stated = Object.entries(fields).filter(([, value]) => value !== null);
  return {
    ...(Object.fromEntries(stated) as Partial<typeof fields>),
    buyer: buyer?.personId ?? null,
    returned: refunds.reduce((sum, { counts }) => sum + Number(counts), 0),
    refundIds: refunds.map(({ refundId }) => refundId),
    createdAt: order.createdAt,
    reportedBy: order.reportedBy,
    erasedBy: order.erasedBy,
    objects,
  };
}

/** Computes the orders of statements. Expects that every order of arrival leads to the same. */
export function foldInAllOrders(...arrivals: Arrival[]) {
  const outcome = outcomeOf(arrivals);
  for (const permuted of permutationsOf(arrivals))
    expect(outcomeOf(arrange(arrivals, permuted))).toEqual(outcome);
  return { ...outcome, orders: outcome.orders.map(inShort) };
}
