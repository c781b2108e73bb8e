import type { StatedRefund, Statement } from '../../../../src/core/orders/merge/statement.js';
import { type Arrival, isMark } from './outcomes.js';

/**
 * The laws of merged orders, written again in the plainest way. It follows only the guide, and computes from all statements
 * without keeping anything between two of them. Amounts are numbers. It shares no code with the server.
 */

type PlainStatement = Statement & { at: number };
type StatedFields = Record<string, unknown>;

/** An object with all its statements, the first arrival first. */
interface Thing {
  id: string;
  statements: PlainStatement[];
  isMarked: boolean;
}

interface Payment {
  things: Thing[];
  lent: number;
  shares: { invoice: string; amount: number }[];
}

interface Cluster {
  things: Thing[];
  payments: Payment[];
}

interface Order {
  things: Thing[];
  clusters: Cluster[];
  head: Thing;
  portions: Map<Thing, number>;
}

const personalFields = ['personId', 'email', 'name', 'visitorId', 'firstTouch', 'lastTouch'];
const kinds = ['shopOrder', 'session', 'invoice', 'payment', 'charge', 'invoicePayment', 'refund', 'report'];
const speakers = ['shop', 'backend', 'signed', 'file', 'page'];
const shown = ['source', 'name', 'items', 'visitorId', 'firstTouch', 'lastTouch'];

const least = (texts: string[]) => [...texts].sort()[0]!;
const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1);
const kindOf = ({ statements }: Thing) => statements[0]!.kind;
const speakerOf = ({ statements }: Thing) => statements[0]!.speaker;
const isOfShop = (thing: Thing) => speakerOf(thing) === 'shop';

/** @returns true if all of a statement counts; if a shop order was not paid by then, only its end does */
const isWhole = ({ kind, state, wasPaid: isPaid }: PlainStatement) =>
  kind !== 'shopOrder' || state === 'paid' || isPaid === true;
const hasTime = (stated: PlainStatement) => stated.isDated && isWhole(stated);
const createdOf = ({ statements }: Thing) => {
  const dated = statements.filter(hasTime);
  return least((dated.length > 0 ? dated : statements).map(({ created }) => created));
};
const byAge = (a: Thing, b: Thing) => compare(createdOf(a), createdOf(b)) || compare(a.id, b.id);
const oldest = (things: Thing[]) => [...things].sort(byAge)[0]!;
const byKind = (a: Thing, b: Thing) => kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)) || byAge(a, b);

const wasPaid = (thing: Thing) =>
  !isOfShop(thing) || thing.statements.some(({ state, wasPaid }) => state === 'paid' || wasPaid);
const buyersOf = ({ statements, isMarked }: Thing) =>
  isMarked ? [] : statements.flatMap(({ says }) => says.personId ?? []);
const amountsOf = ({ statements }: Thing) =>
  statements.flatMap(({ says: { amount, currency } }) =>
    amount == null ? [] : [{ amount: Number(amount), currency: currency ?? null }],
  );
const namesOf = (thing: Thing, ...of: string[]) => [
  ...(of.includes('provider') && isOfShop(thing) ? [thing.id] : []),
  ...thing.statements.flatMap(({ names }) =>
    names.filter(({ kind }) => of.includes(kind)).map(({ value }) => value),
  ),
];
const meet = (a: readonly string[], b: readonly string[]) => a.some((each) => b.includes(each));

/** Ranks by the time of the change. At the same time, a person's correction and an answer to the server's question are newer. */
const versionRank = (stated: PlainStatement, isWithAsking: boolean) =>
  [
    stated.version ?? '',
    stated.isCorrected ? 1 : 0,
    isWithAsking && stated.askedAt != null ? 1 : 0,
    isWithAsking ? (stated.stage ?? 0) : 0,
  ] as const;
const compareRanks = (a: readonly (string | number)[], b: readonly (string | number)[]) =>
  a.map((part, at) => compare(part, b[at]!)).find((order) => order !== 0) ?? 0;

/** Finds the newest value of a part of a shop's object: of the newest time the later arrival, except repeats. */
function newest(thing: Thing, read: (stated: PlainStatement) => unknown): unknown {
  const telling = thing.statements.filter((stated) => read(stated) !== undefined);
  const ranks = telling.map((stated) => versionRank(stated, true)).sort(compareRanks);
  const last = telling.filter((stated) => compareRanks(versionRank(stated, true), ranks.at(-1)!) === 0);
  if (last.length === 0) return undefined;
  if (last[0]!.askedAt != null) return read(last.at(-1)!);
  return JSON.parse([...new Set(last.map((stated) => JSON.stringify(read(stated))))].at(-1)!);
}

const only = (says: StatedFields, isWanted: (name: string) => boolean): StatedFields =>
  Object.fromEntries(Object.entries(says).filter(([name, value]) => value != null && isWanted(name)));
const orderWords = ({ says }: PlainStatement) =>
  only(says, (name) => !personalFields.includes(name) && name !== 'earlier');
const buyerWords = ({ says, buyer }: PlainStatement) =>
  buyer === 'withheld' ? undefined : only(says, (name) => personalFields.includes(name));

/** Finds the statement of a report that counts for a field. */
function statementOf({ statements }: Thing, name: string): PlainStatement | undefined {
  const stating = statements.filter(({ says }) => (says as StatedFields)[name] != null);
  return stating.find((one) =>
    stating.every((other) => compareRanks(versionRank(one, false), versionRank(other, false)) >= 0),
  );
}

function word(thing: Thing, name: string): unknown {
  const isPersonal = personalFields.includes(name) || name === 'earlier';
  if (thing.isMarked && (isPersonal || (name === 'extra' && !isOfShop(thing)))) return undefined;
  if (!isOfShop(thing)) return (statementOf(thing, name)?.says as StatedFields | undefined)?.[name];
  const whole = { ...thing, statements: thing.statements.filter(isWhole) };
  if (name === 'earlier') return newest(whole, ({ says }) => says.earlier);
  return (newest(whole, isPersonal ? buyerWords : orderWords) as StatedFields | undefined)?.[name];
}

const stateOf = (thing: Thing) => newest(thing, ({ state }) => state);
const amountOf = (thing: Thing) => Number(word(thing, 'amount') ?? 0);
const currencyOf = (thing: Thing) => (word(thing, 'currency') as string | undefined) ?? null;

/** Lists the refunds that an object has now, each with the time at which it was first listed. */
function refundsOf(thing: Thing): StatedRefund[] {
  const whole = { ...thing, statements: thing.statements.filter(isWhole) };
  const now = (isOfShop(thing) ? newest(whole, ({ refunds }) => refunds) : thing.statements[0]!.refunds) as
    | StatedRefund[]
    | undefined;
  return (now ?? []).map((refund) => {
    const all = thing.statements.flatMap(({ refunds = [] }) =>
      refunds.filter(({ refundId }) => refundId === refund.refundId),
    );
    return {
      ...refund,
      createdAt: isOfShop(thing) ? least(all.map(({ createdAt }) => createdAt)) : refund.createdAt,
      reason: thing.isMarked ? null : refund.reason,
    };
  });
}

function isErased(thing: Thing): boolean {
  const highest = (is: (stated: PlainStatement) => boolean) =>
    thing.statements
      .filter(is)
      .map(({ version }) => version ?? '')
      .sort()
      .at(-1) ?? '';
  const named = highest(({ says }) => says.personId !== undefined);
  const erased = highest(({ buyer }) => buyer === 'erased');
  if (erased !== '' && erased >= named) return true;
  const none = highest(({ buyer }) => buyer === 'none');
  const isNone = none > named || (none !== '' && none === named && word(thing, 'personId') === undefined);
  return isNone && buyersOf(thing).length > 0;
}

const dayMs = 86_400_000;
const isNear = (a: Thing, b: Thing) =>
  Math.abs(Date.parse(createdOf(a)) - Date.parse(createdOf(b))) <= 3 * dayMs;
const haveSameAmount = (a: Thing, b: Thing) =>
  amountsOf(a).some((one) =>
    amountsOf(b).some(
      (other) =>
        one.amount === other.amount &&
        (one.currency === null || other.currency === null || one.currency === other.currency),
    ),
  );
const haveSameBuyer = (a: Thing, b: Thing) => meet(buyersOf(a), buyersOf(b));

function contradicts(words: Thing[], order: Thing[]): boolean {
  const naming = order.filter((each) => buyersOf(each).length > 0);
  const stating = words.filter((each) => buyersOf(each).length > 0);
  if (naming.length === 0 || stating.length === 0) return false;
  if (stating.some((a) => naming.some((b) => haveSameBuyer(a, b)))) return false;
  if ([...words, ...naming].every((each) => speakerOf(each) === 'backend')) return false;
  const believed = words.filter((each) => ['backend', 'shop'].includes(speakerOf(each)));
  return !believed.some((a) => order.some((b) => isNear(a, b) && haveSameAmount(a, b)));
}

const isInvoice = (id: string) => id.startsWith('in_');

function clustersOf(things: Thing[]): Cluster[] {
  const invoices = things.filter((each) => kindOf(each) === 'invoice');
  let joined: Thing[][] = things.filter((each) => kindOf(each) !== 'invoice').map((each) => [each]);
  const idsOf = (of: Thing[]) =>
    of.flatMap((each) => namesOf(each, 'provider')).filter((id) => !isInvoice(id));
  for (;;) {
    const pair = joined.flatMap((a) =>
      joined.filter((b) => a !== b && meet(idsOf(a), idsOf(b))).map((b) => [a, b]),
    )[0];
    if (!pair) break;
    joined = [...joined.filter((each) => !pair.includes(each)), pair.flat()];
  }
  const clusters = new Map<string, Cluster>();
  const of = (id: string) => {
    if (!clusters.has(id)) clusters.set(id, { things: [], payments: [] });
    return clusters.get(id)!;
  };
  for (const invoice of invoices) of(invoice.id).things.push(invoice);
  const add = (cluster: Cluster, payment: Payment) => {
    if (payment.things.length === 0) return;
    cluster.things.push(...payment.things);
    cluster.payments.push(payment);
  };
  for (const members of joined) {
    const stated = members.flatMap((each) => namesOf(each, 'provider')).filter(isInvoice);
    const stating = invoices.filter((invoice) => meet(idsOf([invoice]), idsOf(members))).map(({ id }) => id);
    const ids = [...new Set([...stated, ...stating])].sort();
    const ofOthers = ids.slice(1).map((id) => ({
      id,
      things: members.filter(
        (each) => kindOf(each) === 'invoicePayment' && namesOf(each, 'provider').includes(id),
      ),
    }));
    const sum = (of: Thing[]) => of.reduce((all, each) => all + amountOf(each), 0);
    const lent = ofOthers.reduce((all, { things }) => all + sum(things), 0);
    const own = members.filter((each) => !ofOthers.some(({ things }) => things.includes(each)));
    const highest = own.filter((each) => kindOf(each) !== 'invoicePayment').sort(byKind)[0];
    const ownAmount = highest ? Math.max(0, amountOf(highest) - lent) : sum(own);
    const shares =
      ids.length < 2
        ? []
        : [
            { invoice: ids[0]!, amount: ownAmount },
            ...ofOthers.map(({ id, things }) => ({ invoice: id, amount: sum(things) })),
          ];
    add(of(ids[0] ?? `alone ${members[0]!.id}`), { things: own, lent, shares });
    for (const { id, things } of ofOthers) add(of(id), { things, lent: 0, shares });
  }
  return [...clusters.values()].filter((cluster) => cluster.things.length > 0);
}

function moneyOf({ things, payments }: Cluster): { amount: number; currency: string | null } {
  const whole = things.filter((each) => ['session', 'invoice'].includes(kindOf(each))).sort(byKind)[0];
  if (whole) return { amount: amountOf(whole), currency: currencyOf(whole) };
  const parts = [...payments]
    .sort((a, b) => byAge(oldest(a.things), oldest(b.things)))
    .map((payment) => {
      const highest = [...payment.things].sort(byKind)[0]!;
      const isPart = kindOf(highest) === 'invoicePayment';
      const sum = payment.things.reduce((all, each) => all + amountOf(each), 0);
      return {
        amount: isPart ? sum : Math.max(0, amountOf(highest) - payment.lent),
        currency: currencyOf(highest),
      };
    });
  const { currency } = parts[0]!;
  return {
    amount: parts.filter((part) => part.currency === currency).reduce((all, part) => all + part.amount, 0),
    currency,
  };
}

function ownersOf(
  orders: Order[],
  of: Thing,
  numbers = namesOf(of, 'number'),
  shopIds = namesOf(of, 'shopOrder'),
): Order[] {
  const carries = ({ things }: Order) => {
    const own = things.flatMap((each) => namesOf(each, 'shopOrder'));
    if (own.length > 0 && shopIds.length > 0) return meet(own, shopIds);
    return things.some((each) => meet(namesOf(each, 'number'), numbers));
  };
  const rank = ({ things }: Order) =>
    Math.min(
      ...things
        .filter((each) => kindOf(each) !== 'refund')
        .map((each) => {
          if (kindOf(each) === 'shopOrder') return 0;
          return isOfShop(each) ? 1 : 1 + speakers.indexOf(speakerOf(each));
        }),
    );
  const shows = ({ head, clusters }: Order) =>
    [head, ...clusters.flatMap(({ things }) => things)].some((each) =>
      numbers.includes(String(word(each, 'orderId'))),
    )
      ? 0
      : 1;
  return orders
    .filter(carries)
    .sort((a, b) => rank(a) - rank(b) || shows(a) - shows(b) || byAge(a.head, b.head));
}

/** Finds orders that share an identifier of a thing. Those whose shop states it come first. */
const naming = (orders: Order[], of: Thing, kind: string) => {
  const has = (each: Thing) => meet(namesOf(each, kind), namesOf(of, kind));
  const found = orders.filter(({ things }) => things.some(has));
  const isByShop = ({ things }: Order) => things.some((each) => isOfShop(each) && has(each));
  return [...found.filter(isByShop), ...found.filter((order) => !isByShop(order))];
};

/** Groups objects to orders. */
function group(things: Thing[]): { orders: Order[]; waiting: Thing[]; setAside: Thing[] } {
  const of = (...wanted: string[]) => things.filter((each) => wanted.includes(kindOf(each))).sort(byAge);
  const free = clustersOf(of('session', 'invoice', 'payment', 'charge', 'invoicePayment')).sort((a, b) =>
    byAge(oldest(a.things), oldest(b.things)),
  );
  const toOrder = (head: Thing, members: Thing[], clusters: Cluster[]): Order => ({
    head,
    things: members,
    clusters,
    portions: new Map(),
  });
  const orders = of('shopOrder')
    .filter(wasPaid)
    .map((head) => toOrder(head, [head], []));
  const take = (takes: (order: Order, cluster: Cluster) => boolean) => {
    for (const order of orders)
      for (const cluster of [...free])
        if (takes(order, cluster)) {
          free.splice(free.indexOf(cluster), 1);
          order.clusters.push(cluster);
          order.things.push(...cluster.things);
        }
  };
  take(({ head }, cluster) =>
    cluster.things.some((each) => meet(namesOf(head, 'provider'), namesOf(each, 'provider'))),
  );
  const isCalled = ({ head }: Order, { things: paying }: Cluster, kind: string) =>
    paying.some((each) => meet(namesOf(head, kind), namesOf(each, 'number')));
  const hasRoom = (order: Order, cluster: Cluster) => {
    const { amount, currency } = moneyOf(cluster);
    const before = order.clusters.map(moneyOf).filter((money) => money.currency === currency);
    const sum = before.reduce((all, money) => all + money.amount, amount);
    return amountsOf(order.head).some((cost) => cost.currency === currency && sum <= cost.amount);
  };
  take(
    (order, cluster) =>
      isCalled(order, cluster, 'number') &&
      !contradicts(cluster.things, order.things) &&
      hasRoom(order, cluster),
  );
  take(
    (order, cluster) =>
      isCalled(order, cluster, 'shopOrder') &&
      cluster.things.some((one) => order.things.some((other) => haveSameBuyer(one, other))) &&
      cluster.things.some((one) => haveSameAmount(one, order.head)) &&
      hasRoom(order, cluster),
  );
  orders.push(...free.map((cluster) => toOrder(oldest(cluster.things), [...cluster.things], [cluster])));

  const setAside: Thing[] = [];
  const reports = of('report');
  const isOfPage = (each: Thing) => speakerOf(each) === 'page';
  for (const each of [...reports.filter((each) => !isOfPage(each)), ...reports.filter(isOfPage)]) {
    const isFree = (order: Order) => !contradicts([each], order.things);
    const owners = ownersOf(orders, each);
    const isOfBuyer = ({ things: members }: Order) => members.some((member) => haveSameBuyer(each, member));
    const named = [
      ...naming(orders, each, 'provider'),
      ...owners.filter(isOfBuyer),
      ...owners.filter((order) => !isOfBuyer(order)),
    ];
    const isFormer = ({ things: members }: Order) => {
      const has = (one: string, other: string) =>
        members.some((member) => meet(namesOf(each, one), namesOf(member, other)));
      return (
        (has('number', 'shopOrder') || has('shopOrder', 'number')) &&
        members.some((member) => haveSameBuyer(each, member) && haveSameAmount(each, member))
      );
    };
    const others = orders.filter(
      (order) =>
        naming([order], each, 'idempotency').length > 0 || naming([order], each, 'report').length > 0,
    );
    const target = named.find(isFree) ?? orders.find(isFormer) ?? others.find(isFree);
    if (target) target.things.push(each);
    else if (
      ['page', 'signed'].includes(speakerOf(each)) &&
      (named.some(({ head }) => isNear(head, each)) || naming(orders, each, 'report').length > 0)
    )
      setAside.push(each);
    else orders.push(toOrder(each, [each], []));
  }

  const waiting: Thing[] = [];
  for (const end of of('shopOrder').filter((each) => !wasPaid(each))) {
    const state = end.statements.filter(({ state }) => state !== undefined);
    const ranks = state.map((stated) => versionRank(stated, true)).sort(compareRanks);
    const endedAt = String(ranks.at(-1)?.[0] || createdOf(end));
    const since = end.statements
      .map(({ since = '' }) => since)
      .sort()
      .at(-1)!;
    const names = namesOf(end, 'number', 'shopOrder');
    const targets = orders.filter(
      ({ things: members }) =>
        members.every(
          (each) =>
            ['page', 'signed'].includes(speakerOf(each)) &&
            createdOf(each) <= endedAt &&
            createdOf(each) >= since,
        ) &&
        members.some(
          (each) =>
            meet(names, namesOf(each, 'number', 'shopOrder')) &&
            haveSameBuyer(each, end) &&
            haveSameAmount(each, end),
        ),
    );
    const [target, ...others] = stateOf(end) === 'ended' ? targets : [];
    for (const other of others) {
      target!.things.push(...other.things);
      orders.splice(orders.indexOf(other), 1);
    }
    if (target) target.things.push(end);
    else waiting.push(end);
  }
  // Only by identifiers of orders, not by those of other refunds.
  const returns = of('refund').map((refund) => {
    const accepted = refund.statements.map(({ of }) => of).find((id) => id !== undefined);
    const target =
      naming(orders, refund, 'provider')[0] ??
      orders.find(({ things: members }) => members.some(({ id }) => id === accepted)) ??
      ownersOf(orders, refund)[0] ??
      ownersOf(orders, refund, [], namesOf(refund, 'number'))[0];
    return { refund, target };
  });
  for (const { refund, target } of returns) (target?.things ?? waiting).push(refund);
  shareOut(orders);
  return { orders, waiting, setAside };
}

const hasReturned = (thing: Thing) =>
  kindOf(thing) === 'refund' && ['paid', undefined].includes(stateOf(thing) as 'paid' | undefined);

/** Divides refunds among the invoices of one payment: they fill the share of each in turn. */
function shareOut(orders: Order[]): void {
  const shared = new Map<Payment['shares'], Thing[]>();
  for (const { shares, things } of orders.flatMap(({ clusters }) =>
    clusters.flatMap(({ payments }) => payments),
  ))
    if (shares.length > 0) shared.set(shares, [...(shared.get(shares) ?? []), ...things]);
  for (const [shares, things] of shared) {
    const ids = things.flatMap((each) => [
      ...namesOf(each, 'provider'),
      ...namesOf(each, 'number', 'shopOrder'),
    ]);
    const slots = shares.flatMap(({ invoice, amount }) => {
      const order = orders.find(({ clusters }) =>
        clusters.some((cluster) =>
          cluster.things.some((each) => namesOf(each, 'provider').includes(invoice)),
        ),
      );
      return order ? [{ order, left: amount }] : [];
    });
    const refunds = [...new Set(slots.flatMap(({ order }) => order.things))]
      .filter(
        (each) => hasReturned(each) && meet(ids, [...namesOf(each, 'provider'), ...namesOf(each, 'number')]),
      )
      .sort(byAge);
    for (const refund of refunds) {
      let rest = refundsOf(refund).reduce((all, { amount }) => all + Number(amount ?? 0), 0);
      const into = new Set<Order>();
      for (const slot of slots) {
        const part = Math.min(rest, slot.left);
        if (part === 0) continue;
        slot.left -= part;
        rest -= part;
        slot.order.portions.set(refund, (slot.order.portions.get(refund) ?? 0) + part);
        into.add(slot.order);
      }
      if (into.size === 0) continue;
      for (const order of orders) order.things = order.things.filter((each) => each !== refund);
      for (const { things: members } of into) members.push(refund);
    }
  }
}

/** Lists the objects that state a field, the strongest first. */
function sayers(name: string, things: Thing[]): Thing[] {
  const strength = (a: Thing, b: Thing) => {
    const order = speakers.indexOf(speakerOf(a)) - speakers.indexOf(speakerOf(b));
    if (order !== 0) return order;
    if (isOfShop(a)) return byKind(a, b);
    const [one, other] = [statementOf(a, name)!, statementOf(b, name)!];
    return (
      compareRanks(versionRank(other, false), versionRank(one, false)) ||
      one.at - other.at ||
      a.statements[0]!.at - b.statements[0]!.at
    );
  };
  return things.filter((each) => word(each, name) != null).sort(strength);
}

function fold({ things, clusters, portions }: Order) {
  const speaking = things.filter((each) => kindOf(each) !== 'refund');
  const erasedBy = speaking.some(({ isMarked }) => isMarked)
    ? 'operator'
    : speaking.some(isErased)
      ? 'shop'
      : null;
  const named = erasedBy ? undefined : sayers('personId', speaking)[0];
  const same = new Set(
    named ? [named, ...speaking.filter((each) => buyersOf(each).length === 0)] : erasedBy ? [] : speaking,
  );
  const isLinked = (a: Thing, b: Thing) =>
    haveSameBuyer(a, b) ||
    (isOfShop(a) && isOfShop(b) && meet(namesOf(a, 'provider'), namesOf(b, 'provider')));
  if (named)
    for (const member of same) for (const each of speaking) if (isLinked(member, each)) same.add(each);
  const strongest = (name: string) =>
    sayers(name, speaking).filter((each) => {
      if (personalFields.includes(name) || name === 'earlier') return same.has(each);
      return name !== 'extra' || !erasedBy || isOfShop(each);
    });
  const first = (name: string) => (strongest(name)[0] && word(strongest(name)[0]!, name)) ?? null;
  const fields: StatedFields = Object.fromEntries(shown.map((name) => [name, first(name)]));
  const earlier = first('earlier');
  if (earlier && fields.firstTouch === null && fields.lastTouch === null) Object.assign(fields, earlier);
  const numbers = strongest('orderId').map((each) => word(each, 'orderId') as string);
  const extra = strongest('extra').map((each) => word(each, 'extra') as object);

  const giver = speaking.find((each) => kindOf(each) === 'shopOrder' && wasPaid(each));
  let money = clusters[0] && moneyOf(clusters[0]);
  if (giver || !money) {
    const speaker = giver ?? sayers('amount', speaking).find(wasPaid);
    const amount = speaker ? amountOf(speaker) : 0;
    const stating = sayers('currency', speaking);
    const ofAmount = stating.find((each) => word(each, 'amount') != null && amountOf(each) === amount);
    const own = speaker && currencyOf(speaker);
    const currency = own ?? ((ofAmount ?? stating[0]) ? currencyOf((ofAmount ?? stating[0])!) : null);
    money = { amount, currency };
  }
  const isBy = (...of: string[]) => speaking.some((each) => of.includes(speakerOf(each)));
  const dated = (each: Thing) => each.statements.some(hasTime);
  const steps = [
    speaking.filter((each) => kindOf(each) === 'shopOrder'),
    speaking.filter(isOfShop),
    speaking.filter((each) => speakerOf(each) === 'backend' && dated(each)),
    speaking.filter((each) => speakerOf(each) === 'file' && dated(each)),
    speaking.filter((each) => ['page', 'signed'].includes(speakerOf(each))),
    speaking,
  ];
  return {
    objects: things.map(({ id }) => id).sort(),
    fields: {
      ...fields,
      orderId: numbers.find((id) => !/^(pi|ch|py|cs|in|re)_/.test(id)) ?? numbers[0] ?? null,
      extra: extra.length === 0 ? null : Object.assign({}, ...extra.reverse()),
      ...money,
    },
    buyer: named ? (word(named, 'personId') as string) : null,
    erasedBy,
    reportedBy:
      isBy('signed') || (isBy('page') && isBy('file', 'backend', 'shop'))
        ? 'both'
        : isBy('page')
          ? 'browser'
          : 'key',
    createdAt: least(steps.find((step) => step.length > 0)!.map(createdOf)),
    refunds: countRefunds(things, portions, giver, money),
  };
}

function countRefunds(
  things: Thing[],
  portions: Map<Thing, number>,
  giver: Thing | undefined,
  money: { amount: number; currency: string | null },
) {
  const isListing = (stated: PlainStatement) => stated.refunds !== undefined && isWhole(stated);
  const lister =
    giver?.statements.some(({ isWholeList }) => isWholeList) && giver.statements.some(isListing)
      ? giver
      : undefined;
  const list = lister ? refundsOf(lister).map(({ refundId }) => refundId) : [];
  const listRank = lister
    ? lister.statements
        .filter(isListing)
        .map((stated) => versionRank(stated, true))
        .sort(compareRanks)
        .at(-1)!
    : ['', 0, 0, 0];
  const listed = things.flatMap((each) =>
    refundsOf(each).flatMap((refund) => {
      const entry = {
        id: refund.refundId,
        object: each.id,
        amount: refund.amount === null ? null : Number(refund.amount),
        currency: refund.currency,
        at: refund.createdAt,
        isCounted: true,
      };
      const isBeneath = lister !== undefined && each !== giver && isOfShop(each) && !refund.isDispute;
      if (kindOf(each) !== 'refund') {
        const hasOwn = things.some(
          (other) =>
            kindOf(other) === 'refund' &&
            isOfShop(other) &&
            refundsOf(other).some(({ refundId }) => refundId === refund.refundId),
        );
        if (each === giver && lister !== undefined) return [entry];
        return hasOwn || (kindOf(each) === 'shopOrder' && each !== giver)
          ? []
          : [{ ...entry, isCounted: !isBeneath }];
      }
      if (!hasReturned(each)) return [];
      if (isBeneath && namesOf(each, 'provider').includes(giver!.id))
        return list.includes(refund.refundId) || refund.createdAt < String(listRank[0]) ? [] : [entry];
      return [{ ...entry, amount: portions.get(each) ?? entry.amount, isCounted: !isBeneath }];
    }),
  );
  for (const each of things)
    if (kindOf(each) === 'shopOrder' && stateOf(each) === (wasPaid(each) ? 'unpaid' : 'ended')) {
      const rank = each.statements
        .map((stated) => versionRank(stated, true))
        .sort(compareRanks)
        .at(-1)!;
      listed.push({
        id: `unpaid_${each.id}`,
        object: each.id,
        amount: null,
        currency: null,
        at: String(rank[0] || createdOf(each)),
        isCounted: true,
      });
    }
  listed.sort((a, b) => compare(a.at, b.at) || compare(a.id, b.id) || compare(a.object, b.object));
  let left = money.amount;
  const counts = new Map<(typeof listed)[number], number>();
  for (const each of [
    ...listed.filter(({ amount }) => amount !== null),
    ...listed.filter(({ amount }) => amount === null),
  ]) {
    const isOther = each.currency !== null && money.currency !== null && each.currency !== money.currency;
    const counted = each.isCounted && !isOther ? Math.min(left, each.amount ?? left) : 0;
    left -= counted;
    counts.set(each, counted);
  }
  return listed.map((each) => ({ id: each.id, object: each.object, at: each.at, counts: counts.get(each)! }));
}

/** Computes the orders that follow from all statements, and the objects without an order. */
export function plainOutcome(arrivals: readonly Arrival[]) {
  const marked = arrivals.filter(isMark).map((each) => each.marked);
  const things = new Map<string, Thing>();
  for (const [at, stated] of arrivals.entries()) {
    if (isMark(stated)) continue;
    const thing = things.get(stated.object) ?? {
      id: stated.object,
      statements: [],
      isMarked: marked.includes(stated.object),
    };
    things.set(stated.object, thing);
    thing.statements.push({ ...stated, at });
  }
  const { orders, waiting, setAside } = group([...things.values()]);
  const idsOf = (of: Thing[]) => of.map(({ id }) => id).sort();
  return {
    orders: orders.map(fold).sort((a, b) => compare(a.objects.join(), b.objects.join())),
    waiting: idsOf(waiting),
    setAside: idsOf(setAside),
  };
}
