import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import type { PlaceStatements } from '../merge/placing.js';
import type { StatedObject } from '../merge/statement.js';

/**
 * Removes an order that is a test or that only pages have reported. Resolves after the commit, with false if there is no such
 * order. Its refunds wait for a new order with its number.
 */
export async function discardOrder(
  sql: Sql,
  place: PlaceStatements,
  teamId: Uuid,
  id: Uuid,
): Promise<boolean> {
  const [order] = await sql<{ isTest: boolean }[]>`/* findDiscardable */
    select is_test as "isTest" from placed_order where team_id = ${teamId} and id = ${id}`;
  if (!order) return false;
  const { isTest } = order;
  const { plan } = await place(teamId, isTest, {
    stated: [],
    orderIds: [id],
    // Decided by the statements that are locked: a backend may have reported the order since the person saw it.
    isTakenBack: (stated, orderId, ofOrder) =>
      orderId === id &&
      !isRefund(stated) &&
      (isTest || ofOrder.every((each) => isRefund(each) || each.speaker === 'page')),
  });
  return plan.gone.some((gone) => gone.id === id);
}

const isRefund = ({ kind }: StatedObject) => kind === 'refund';

/**
 * Removes from an order the report that one button press stored from a shop's file. Resolves after the commit, with true if that
 * removed the order because no other report of it is left. If only refunds would be left, nothing is removed.
 */
export async function takeBackPress(
  place: PlaceStatements,
  teamId: Uuid,
  { id, isTest, press }: { id: Uuid; isTest: boolean; press: string },
): Promise<boolean> {
  const { plan } = await place(teamId, isTest, {
    stated: [],
    orderIds: [id],
    isTakenBack: (stated, orderId, ofOrder) => {
      const isOfPress = ({ object }: StatedObject) => object.startsWith(`file:${press}:`);
      const ofOthers = ofOrder.filter((each) => !isOfPress(each));
      const isNeeded = ofOthers.length > 0 && ofOthers.every(isRefund);
      return orderId === id && isOfPress(stated) && !isNeeded;
    },
  });
  return plan.gone.some((gone) => gone.id === id);
}
