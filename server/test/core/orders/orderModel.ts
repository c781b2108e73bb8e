/**
 * Reference model of the rules in the guides "How orders become one" and "Where an order comes from", for one team.
 * It is written from the guide and not from the server's code: it holds everything in lists, and takes one event after the
 * other.
 */

/** A report as the model understands it: texts trimmed, and null for what it leaves out. */
export interface ModelReport {
  by: 'page' | 'key';
  isTest: boolean;
  email: string;
  amount: number;
  currency: string | null;
  source: string | null;
  orderId: string | null;
  /** The reportId of a page, or the Idempotency-Key of a key. */
  ownId: string | null;
  name: string | null;
  items: string | null;
  visitorId: string | null;
  /** The sources of the first and the last touch. */
  touches: (string | null)[] | null;
  /** Fields that the contract does not name. */
  extra: string | null;
}

/** A field with the one who said it; null for an empty one. An earlier order of the visitor says touches alone. */
type GivenField = { value: string; by: 'page' | 'key' | 'earlier order' } | null;

const optionalFields = ['name', 'items', 'visitorId', 'firstTouch', 'lastTouch', 'extra'] as const;

export interface ModelOrder {
  id: string;
  at: string;
  isTest: boolean;
  /** Null once the buyer was erased. */
  email: string | null;
  amount: number;
  currency: GivenField;
  source: GivenField;
  orderId: string | null;
  reportId: string | null;
  name: GivenField;
  items: GivenField;
  visitorId: GivenField;
  firstTouch: GivenField;
  lastTouch: GivenField;
  extra: GivenField;
  byPage: boolean;
  byKey: boolean;
}

/** A key of an order, and the money that its report said. */
interface ModelKey {
  key: string;
  isTest: boolean;
  order: string;
  amount: number;
  currency: string | null;
}

/** All that is stored of a team. It is plain data, so that it can be copied and compared. */
export interface World {
  orders: ModelOrder[];
  people: Record<string, { name: string | null; isByKey: boolean }>;
  keys: ModelKey[];
}

/** The expected answer. */
export interface ModelAnswer {
  status: number;
  /** Of 422. */
  fields?: string[];
  order?: Pick<ModelOrder, 'id' | 'at' | 'amount' | 'isTest'> & { currency: string };
  isNew?: boolean;
}

export const emptyWorld = (): World => ({ orders: [], people: {}, keys: [] });

/**
 * Finds the touches that an order gets from an earlier one of its visitor, if a key's report makes it and has none itself:
 * those of the latest order, which may be several orders of the same millisecond. Null for none.
 */
export function earlierTouches(
  world: World,
  { by, isTest, visitorId, touches }: ModelReport,
): ((string | null)[] | null)[] {
  if (by === 'page' || visitorId === null || touches !== null) return [null];
  const earlier = world.orders.filter(
    (order) => order.isTest === isTest && order.visitorId?.value === visitorId && touchesOf(order) !== null,
  );
  const latest = earlier.filter(({ at }) => earlier.every((other) => other.at <= at));
  const found = new Map(latest.map((order) => [String(touchesOf(order)), touchesOf(order)]));
  return found.size > 0 ? [...found.values()] : [null];
}

function touchesOf({ firstTouch, lastTouch }: ModelOrder): (string | null)[] | null {
  return firstTouch || lastTouch ? [firstTouch?.value ?? null, lastTouch?.value ?? null] : null;
}

/**
 * Applies a report to the world, and returns the expected answer.
 * @param made id and time of the order that the server answered with: those of the report, where it makes or dates one
 * @param earlier one of `earlierTouches`
 */
export function report(
  world: World,
  said: ModelReport,
  made: { id: string; at: string },
  earlier: (string | null)[] | null,
): ModelAnswer {
  const isKey = said.by === 'key';
  const ofMode = world.orders.filter(({ isTest }) => isTest === said.isTest);
  const kept = isKey
    ? world.keys.find(({ key, isTest }) => key === said.ownId && isTest === said.isTest)
    : undefined;
  const byKey = kept && ofMode.find(({ id }) => id === kept.order)!;
  if (kept && byKey) {
    const fields = differences(byKey, kept, said);
    if (fields.length > 0) return { status: 422, fields };
  }
  const byOrderId =
    said.orderId === null ? undefined : ofMode.find(({ orderId }) => orderId === said.orderId);
  const isByReportId = !isKey && said.orderId === null && said.ownId !== null;
  const byReportId = isByReportId ? ofMode.find(({ reportId }) => reportId === said.ownId) : undefined;
  const order = byOrderId ?? byKey ?? byReportId;
  if (!order) return { ...answer(addOrder(world, said, made, earlier)), isNew: true };

  const isBuyer = order.email === said.email;
  if (!isBuyer && (!isKey || (order.byKey && order.email !== null))) return { status: 409 };
  const isFirstKey = isKey && !order.byKey;
  if (isFirstKey) takeOver(world, order, said, made.at);
  fillMoney(order, said);
  if (order.email === said.email) {
    fill(order, said);
    meet(world, said);
    if (isKey) order.byKey = true;
    else order.byPage = true;
  }
  if (isKey) {
    order.orderId ??= said.orderId;
    if (said.ownId !== null && !kept) addKey(world, said, order.id);
  }
  return { ...answer(order), isNew: false };
}

/** Removes an order; false where a key has reported it live. */
export function discard(world: World, id: string): boolean {
  const order = world.orders.find((each) => each.id === id);
  if (!order || (!order.isTest && order.byKey)) return false;
  world.orders = world.orders.filter((each) => each !== order);
  world.keys = world.keys.filter((key) => key.order !== id);
  return true;
}

/** Removes a person everywhere; the orders stay. */
export function erase(world: World, email: string): void {
  delete world.people[email];
  for (const order of world.orders)
    if (order.email === email) {
      // Who has said what is forgotten: all counts as a key's word, once a key has spoken.
      for (const field of moneyFields) if (order[field] && order.byKey) order[field].by = 'key';
      Object.assign(order, {
        email: null,
        name: null,
        visitorId: null,
        firstTouch: null,
        lastTouch: null,
        extra: null,
      });
    }
}

function addOrder(
  world: World,
  said: ModelReport,
  made: { id: string; at: string },
  earlier: (string | null)[] | null,
): ModelOrder {
  const { by, isTest, email, amount, orderId, ownId } = said;
  const isKey = by === 'key';
  const order: ModelOrder = {
    ...made,
    isTest,
    email,
    amount,
    orderId,
    reportId: isKey || orderId !== null ? null : ownId,
    ...fieldsOf(said),
    ...(earlier !== null && touchesBy('earlier order', earlier)),
    byPage: !isKey,
    byKey: isKey,
  };
  world.orders.push(order);
  if (isKey && ownId !== null) addKey(world, said, order.id);
  meet(world, said);
  return order;
}

function fieldsOf(said: ModelReport) {
  const { by, name, items, visitorId, touches, extra, currency, source } = said;
  const of = (value: string | null): GivenField => (value === null ? null : { value, by });
  return {
    currency: of(currency),
    source: of(source),
    name: of(name),
    items: of(items),
    visitorId: of(visitorId),
    ...touchesBy(by, touches ?? [null, null]),
    extra: of(extra),
  };
}

function touchesBy(by: 'page' | 'key' | 'earlier order', touches: (string | null)[]) {
  const [firstTouch, lastTouch] = touches.map(
    (value): GivenField => (value === null ? null : { value, by }),
  ) as [GivenField, GivenField];
  return { firstTouch, lastTouch };
}

function addKey(world: World, { ownId, isTest, amount, currency }: ModelReport, order: string): void {
  world.keys.push({ key: ownId!, isTest, order, amount, currency });
}

/**
 * A key is believed over the pages before it; of a page that named another buyer nothing stays, nor that buyer without another
 * order.
 */
function takeOver(world: World, order: ModelOrder, said: ModelReport, at: string): void {
  const { email, amount } = said;
  const before = order.email;
  Object.assign(order, { amount, byKey: true });
  if (before === null)
    for (const field of moneyFields) if (order[field]) order[field].by = said[field] ? 'page' : 'key';
  if (before === email || before === null) return;
  Object.assign(order, { email, at, reportId: null, byPage: false, ...fieldsOf(said) });
  if (!world.orders.some((other) => other.email === before)) delete world.people[before];
}

/** Fields that every order shows, with a default where nobody has said them. */
const moneyFields = ['currency', 'source'] as const;

/** Fills in what the order's money lacks, of a page, too. A currency belongs to its amount. */
function fillMoney(order: ModelOrder, said: ModelReport): void {
  const given = fieldsOf(said);
  for (const field of moneyFields) {
    const isOpen = order[field] === null || (said.by === 'key' && order[field].by !== 'key');
    const isOfAmount = field === 'source' || order.amount === said.amount;
    if (given[field] && isOpen && isOfAmount) order[field] = given[field];
  }
}

/** Currency and source as they are stored and answered. */
export const shownMoney = ({ currency, source, byKey }: ModelOrder) => ({
  currency: currency?.value ?? 'USD',
  source: source?.value ?? (byKey ? 'MANUAL' : 'OTHER'),
});

function fill(order: ModelOrder, said: ModelReport): void {
  const given = fieldsOf(said);
  const isEarlier = [order.firstTouch, order.lastTouch].some((touch) => touch?.by === 'earlier order');
  // Touches of an earlier order count until somebody says one; once a page has spoken without one, they are the page's.
  if (isEarlier && said.touches !== null) Object.assign(order, { firstTouch: null, lastTouch: null });
  else if (isEarlier && said.by === 'page')
    Object.assign(
      order,
      touchesBy(
        'page',
        [order.firstTouch, order.lastTouch].map((touch) => touch?.value ?? null),
      ),
    );
  for (const field of optionalFields) {
    if (given[field] === null) continue;
    const isOpen = order[field] === null || (said.by === 'key' && order[field].by !== 'key');
    const mayFill = said.by === 'key' || !order.byKey || /visitor|Touch/.test(field);
    if (isOpen && mayFill) order[field] = given[field];
  }
}

/** Adds the buyer, or names one: a live key's name replaces a page's. */
function meet(world: World, { by, isTest, email, name }: ModelReport): void {
  world.people[email] ??= { name: null, isByKey: false };
  const person = world.people[email];
  const isByKey = by === 'key' && !isTest;
  if (name === null || (person.name !== null && (person.isByKey || !isByKey))) return;
  Object.assign(person, { name, isByKey });
}

/** What a report says otherwise than the one that brought its key. What one of them left out is no difference. */
function differences(before: ModelOrder, kept: ModelKey, said: ModelReport): string[] {
  const fields: string[] = [];
  if (before.orderId !== null && said.orderId !== null && before.orderId !== said.orderId)
    fields.push('orderId');
  if (before.email !== null && before.email !== said.email) fields.push('email');
  if (kept.amount !== said.amount) fields.push('amount');
  const ofKeys = before.currency?.by === 'key' ? before.currency.value : null;
  const mayBe = [null, ofKeys, kept.currency ?? 'USD'];
  if (ofKeys !== null && !mayBe.includes(said.currency)) fields.push('currency');
  return fields;
}

const answer = (order: ModelOrder) => {
  const { id, at, amount, isTest } = order;
  return { status: 200, order: { id, at, amount, currency: shownMoney(order).currency, isTest } };
};
