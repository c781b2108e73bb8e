import type { Order } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import { isSameAmount } from '../../../values/currency.js';
import { isMadeUpEmail } from '../../../values/email.js';
import { ApiError } from '../../../values/errors.js';
import type { Uuid } from '../../../values/ids.js';
import { statedFields, toObject } from '../merge/joinVersions.js';
import type { PlaceStatements, Placing } from '../merge/placing.js';
import type { Plan, PlannedOrder } from '../merge/plan.js';
import type { KeptIdentifier, Neighbours } from '../merge/sql/loadNeighbours.js';
import { statementsOfReport } from '../merge/statementsOfReport.js';
import { type AuthorizedReport, isNameByKey } from '../report.js';
import { answerPlaced, sharedId } from './answer.js';
import { withEarlierTouches } from './sql/earlierTouches.js';

/** Places a report that is not simply a new order, and resolves after the commit. */
export type PlaceReport = (teamId: Uuid, report: AuthorizedReport) => Promise<Order>;

/**
 * Creates the second step of storing a report. It serves reports of known orders and of shop systems, and reports with a
 * `shopOrderId`. The report is placed among all statements, and answered with the resulting order.
 * @param onMerged called if the report has changed a stored order
 * @throws ApiError `order_conflict`, `idempotency_key_reused`; `unavailable` after five attempts; and the database's errors
 */
export function createPlaceReport(sql: Sql, place: PlaceStatements, onMerged: () => void): PlaceReport {
  return async function placeReport(teamId, report) {
    const statements = statementsOfReport(report);
    const { object } = statements[0]!;
    const lent =
      report.keyHash === null ? statements : [await withEarlierTouches(sql, teamId, report, statements[0]!)];
    const { plan, isWritten } = await place(teamId, report.isTest, {
      stated: lent.map(toObject),
      newId: { id: report.id, orderNumber: report.orderNumber },
      check: (planned, neighbours) => check(report, object, planned, neighbours),
      ...idempotencyKeyOf(report, object),
      ...namingOf(report),
    });
    const order = orderOf(plan, object);
    if (!order) throw new ApiError('order_conflict');
    if (isWritten && order.before !== null) onMerged();
    const owner = plan.orders.find(({ id }) => id === order.sharesIdWith);
    return answerPlaced(order, report.isTest, owner ? sharedId(owner) : null);
  };
}

/** Finds the order that contains an object; undefined if the object waits. */
export function orderOf({ objects, orders }: Plan, object: string): PlannedOrder | undefined {
  const placed = objects.find(({ stated }) => stated.object === object);
  return orders.find(({ id }) => id === placed?.orderId);
}

function idempotencyKeyOf(report: AuthorizedReport, object: string): Pick<Placing, 'idempotencyKey'> {
  const { idempotencyKey, amount, currency, orderId, personId } = report;
  if (idempotencyKey === null) return {};
  return {
    idempotencyKey: {
      value: idempotencyKey,
      object,
      amount: String(amount),
      currency,
      number: orderId,
      personId,
    },
  };
}

/** The name that a report gives to its buyer, for the people of the team. */
export function namingOf(report: AuthorizedReport): Pick<Placing, 'naming'> {
  const { personId, name } = report;
  return name === null ? {} : { naming: { personId, name, isByKey: isNameByKey(report) } };
}

/** Refuses a report that reuses an `Idempotency-Key` with other values, or that contradicts what is known of its order. */
function check(report: AuthorizedReport, object: string, plan: Plan, neighbours: Neighbours): void {
  const { idempotencyKey, keyHash, ofShop } = report;
  const key = neighbours.names.find(({ kind, value }) => kind === 'idempotency' && value === idempotencyKey);
  const fields = key ? differences(key, report) : [];
  if (fields.length > 0) throw new ApiError('idempotency_key_reused', { message: describeReuse(fields) });
  const order = orderOf(plan, object);
  if (keyHash === null && order && order.folded.erasedBy !== null)
    throw new ApiError('order_conflict', { isOfErased: true });
  // A waiting page that arrives before another one with its number must not take that one's order.
  const takesOrder = plan.objects.some(({ isSetAside, before }) => isSetAside && before !== null);
  if (keyHash === null && report.signedAsTest === undefined && takesOrder)
    throw new ApiError('order_conflict');
  if (keyHash !== null && !ofShop && namesAnother(report, object, plan, neighbours))
    throw new ApiError('order_conflict');
}

/** @returns true if a backend names a buyer whom it never named for this order before, without a time of the change */
function namesAnother(
  { personId, email, changedAt }: AuthorizedReport,
  object: string,
  { objects }: Plan,
  { statements }: Neighbours,
): boolean {
  if (changedAt !== null || isMadeUpEmail(email)) return false;
  const joined = objects.find(({ stated }) => stated.object === object)!.stated;
  const { personId: before = personId } = statedFields(joined);
  const stored = statements.find(({ stated }) => stated.object === object);
  return before !== personId && !joined.isMarked && !stored?.stated.buyers.includes(personId);
}

/**
 * Lists the fields in which a report differs from the first report with its `Idempotency-Key`. A field that one of the two lacks
 * does not differ.
 */
function differences(
  key: KeptIdentifier,
  { orderId, personId, amount, currency }: AuthorizedReport,
): string[] {
  if (key.amount === null) return [];
  // A server before 0.5.0 stored the default currency, but neither number nor buyer.
  const isOld = key.number === null && key.personId === null;
  const isOther = (one: string | null, other: string | null) =>
    one !== null && other !== null && one !== other;
  const differs = {
    orderId: isOther(key.number, orderId),
    email: isOther(key.personId, personId),
    amount: !isSameAmount(Number(key.amount), amount, key.currency ?? currency ?? 'USD'),
    currency: !isOld && isOther(key.currency, currency),
  };
  return Object.entries(differs).flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));
}

function describeReuse(fields: readonly string[]): string {
  return `This Idempotency-Key was used before with another ${fields.join(', ')}; nothing was stored. Use a new key for each order, and the same values when you try again.`;
}
