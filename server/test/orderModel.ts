/**
 * Reference model of the rules in the guides "How orders become one" and "Where an order comes from", for one team.
 * It is written from the guide and not from the server's code: it holds everything in lists, and takes one event after the
 * other.
 */

/** A report as the model understands it: texts trimmed, defaults filled in. */
export interface ModelReport {
  by: 'page' | 'key';
  isTest: boolean;
  email: string;
  amount: number;
  currency: string;
  source: string;
  orderId: string | null;
  /** The reportId of a page, or the Idempotency-Key of a key. */
  ownId: string | null;
  name: string | null;
  items: string | null;
  visitorId: string | null;
  /** JSON of the first and the last touch, each by its source. */
  touches: string | null;
  /** Fields that the contract does not name. */
  extra: string | null;
}

/** A field with the one who said it; null for an empty one. An earlier order of the visitor says touches alone. */
type GivenField = { value: string; by: 'page' | 'key' | 'earlier order' } | null;

const optionalFields = ['name', 'items', 'visitorId', 'touches', 'extra'] as const;

export interface ModelOrder {
  id: string;
  at: string;
  isTest: boolean;
  /** Null once the buyer was erased. */
  email: string | null;
  amount: number;
  currency: string;
  source: string;
  orderId: string | null;
  reportId: string | null;
  firstKey: string | null;
  name: GivenField;
  items: GivenField;
  visitorId: GivenField;
  touches: GivenField;
  extra: GivenField;
  byPage: boolean;
  byKey: boolean;
}

/** A key of an order, and what its report said if that was not what the order says. */
interface ModelKey {
  key: string;
  isTest: boolean;
  order: string;
  said: { email: string | null; amount: number; currency: string } | null;
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
  order?: Pick<ModelOrder, 'id' | 'at' | 'amount' | 'currency' | 'isTest'>;
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
): (string | null)[] {
  if (by === 'page' || visitorId === null || touches !== null) return [null];
  const earlier = world.orders.filter(
    (order) => order.isTest === isTest && order.visitorId?.value === visitorId && order.touches !== null,
  );
  const latest = earlier.filter(({ at }) => earlier.every((other) => other.at <= at));
  return latest.length > 0 ? [...new Set(latest.map((order) => order.touches!.value))] : [null];
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
  earlier: string | null,
): ModelAnswer {
  const isKey = said.by === 'key';
  const ofMode = world.orders.filter(({ isTest }) => isTest === said.isTest);
  const kept = isKey
    ? world.keys.find(({ key, isTest }) => key === said.ownId && isTest === said.isTest)
    : undefined;
  const byKey = kept && ofMode.find(({ id }) => id === kept.order)!;
  if (kept && byKey) {
    const fields = differences(
      { ...byKey, ...kept.said, email: kept.said?.email ?? byKey.email },
      said,
      byKey,
    );
    if (fields.length > 0) return { status: 422, fields };
  }
  const byOrderId =
    said.orderId === null ? undefined : ofMode.find(({ orderId }) => orderId === said.orderId);
  const isByReportId = !isKey && said.orderId === null && said.ownId !== null;
  const byReportId = isByReportId ? ofMode.find(({ reportId }) => reportId === said.ownId) : undefined;
  const order = byOrderId ?? byKey ?? byReportId;
  if (!order) return { ...answer(addOrder(world, said, made, earlier)), isNew: true };

  const isBuyer = order.email === said.email;
  if (!isKey && !isBuyer) return { status: 409 };
  const isFirstKey = isKey && !order.byKey;
  if (isFirstKey) takeOver(order, said, made.at);
  if (order.email === said.email) {
    fill(order, said);
    meet(world, said);
    if (isKey) order.byKey = true;
    else order.byPage = true;
  }
  if (isKey) {
    const agrees = differences(order, said, order).length === 0;
    if (agrees) order.orderId ??= said.orderId;
    if (said.ownId !== null && !kept) {
      const isFirst = agrees && order.firstKey === null;
      if (isFirst) order.firstKey = said.ownId;
      const { email, amount, currency, isTest } = said;
      world.keys.push({
        key: said.ownId,
        isTest,
        order: order.id,
        said: isFirst ? null : { email, amount, currency },
      });
    }
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
    if (order.email === email)
      Object.assign(order, { email: null, name: null, visitorId: null, touches: null, extra: null });
  for (const { said } of world.keys) if (said?.email === email) said.email = null;
}

function addOrder(
  world: World,
  said: ModelReport,
  made: { id: string; at: string },
  earlier: string | null,
): ModelOrder {
  const { by, isTest, email, amount, currency, source, orderId, ownId } = said;
  const isKey = by === 'key';
  const order: ModelOrder = {
    ...made,
    isTest,
    email,
    amount,
    currency,
    source,
    orderId,
    reportId: isKey || orderId !== null ? null : ownId,
    firstKey: isKey ? ownId : null,
    ...fieldsOf(said),
    ...(earlier !== null && { touches: { value: earlier, by: 'earlier order' } }),
    byPage: !isKey,
    byKey: isKey,
  };
  world.orders.push(order);
  if (order.firstKey !== null) world.keys.push({ key: order.firstKey, isTest, order: order.id, said: null });
  meet(world, said);
  return order;
}

function fieldsOf(said: ModelReport) {
  const { by, name, items, visitorId, touches, extra } = said;
  const of = (value: string | null): GivenField => (value === null ? null : { value, by });
  return {
    name: of(name),
    items: of(items),
    visitorId: of(visitorId),
    touches: of(touches),
    extra: of(extra),
  };
}

/** A key is believed over the pages before it; of a page that named another buyer nothing stays. */
function takeOver(order: ModelOrder, said: ModelReport, at: string): void {
  const { email, amount, currency, source } = said;
  Object.assign(order, { amount, currency, source, byKey: true });
  if (order.email === email || order.email === null) return;
  Object.assign(order, { email, at, reportId: null, byPage: false, ...fieldsOf(said) });
}

function fill(order: ModelOrder, said: ModelReport): void {
  const given = fieldsOf(said);
  for (const field of optionalFields) {
    if (given[field] === null) continue;
    const isOpen =
      order[field] === null ||
      (said.by === 'key' && order[field].by !== 'key') ||
      (order[field].by === 'earlier order' && !order.byPage);
    const mayFill = said.by === 'key' || !order.byKey || field === 'visitorId' || field === 'touches';
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

function differences(
  before: Pick<ModelOrder, 'orderId' | 'email' | 'amount' | 'currency'>,
  said: ModelReport,
  order: ModelOrder,
): string[] {
  const fields: string[] = [];
  if (before.orderId !== null && said.orderId !== null && before.orderId !== said.orderId)
    fields.push('orderId');
  if (order.email !== null && before.email !== said.email) fields.push('email');
  if (before.amount !== said.amount) fields.push('amount');
  if (before.currency !== said.currency) fields.push('currency');
  return fields;
}

const answer = ({ id, at, amount, currency, isTest }: ModelOrder) => ({
  status: 200,
  order: { id, at, amount, currency, isTest },
});
