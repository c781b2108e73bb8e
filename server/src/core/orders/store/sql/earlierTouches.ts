import type { Touch } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import type { Statement } from '../../merge/statement.js';
import type { AuthorizedReport } from '../../report.js';

/**
 * Adds the touches of the visitor's latest order to a statement about a new object. Does so for a backend or a shop, as the first
 * step of a report does. Sends no query if the report has touches, or has no visitor.
 */
export async function withEarlierTouches(
  sql: Sql,
  teamId: Uuid,
  { visitorId, firstTouch, lastTouch, isTest }: AuthorizedReport,
  statement: Statement,
): Promise<Statement> {
  if (visitorId === null || (firstTouch ?? lastTouch) !== null) return statement;
  const earlier = await findEarlierTouches(sql, teamId, { visitorId, isTest, object: statement.object });
  return earlier ? { ...statement, says: { ...statement.says, earlier } } : statement;
}

/**
 * Finds the touches of a visitor's latest order that has any.
 * @returns undefined if no order has touches, or if the object is stored already
 */
async function findEarlierTouches(
  sql: Sql,
  teamId: Uuid,
  { visitorId, isTest, object }: { visitorId: string; isTest: boolean; object: string },
): Promise<{ firstTouch: Touch | null; lastTouch: Touch | null } | undefined> {
  const [row] = await sql<{ firstTouch: Touch | null; lastTouch: Touch | null }[]>`/* findEarlierTouches */
    select first_touch as "firstTouch", last_touch as "lastTouch" from placed_order
    where team_id = ${teamId} and visitor_id = ${visitorId} and is_test = ${isTest}
      and (first_touch is not null or last_touch is not null)
      and not exists (
        select from statement where team_id = ${teamId} and is_test = ${isTest} and object = ${object}
      )
    order by created_at desc
    limit 1`;
  return row;
}
