import type { Listener } from '../../core/listener.js';
import { listedColumns } from '../../core/orders/answer/sql/listOrders.js';
import { readEnrollment } from '../../core/people/sql/sequence.js';
import type { Fragment, Sql } from '../../database/connection/connect.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import type { IdleWait } from './idleWait.js';
import { enqueue, enqueueNew, subscribesTo } from './sql/enqueue.js';
import { enqueueOrder, enqueueStored } from './sql/enqueueOrder.js';
import { forgetSubjects, moveSubject } from './sql/subject.js';

/**
 * Creates the listener that enqueues changes of orders and people for a team's webhooks.
 * @param idle gets a call of `wake` after a change, which ends the pause of the job that delivers
 */
export const createHookListener = (idle?: Pick<IdleWait, 'wake'>): Listener => ({
  newOrders: (sql, teamId) => enqueueNew(sql, teamId, newOrders(sql, teamId)),
  onReportsStored: () => idle?.wake(),
  onRequestAnswered: () => idle?.wake(),
  async onOrdersChanged(tx, teamId, changes) {
    const added = changes.filter(({ before }) => before === null).map(({ after }) => after);
    if (added.length > 0) await enqueueStored(tx, teamId, idsOf(added));
    for (const { after, duplicates, isShownChanged, areRefundsChanged } of changes) {
      if (isShownChanged) await enqueueOrder(tx, teamId, 'order.changed', after);
      for (const { id } of isShownChanged ? duplicates : [])
        await enqueueOrder(tx, teamId, 'order.merged', after, { mergedId: encodeId('ord', id) });
      if (areRefundsChanged) await enqueueOrder(tx, teamId, 'order.refunded', after);
    }
  },
  onOrderMerged: (tx, teamId, from, into) => moveSubject(tx, teamId, from.id, into.id),
  onOrdersGone: (tx, teamId, orders) => forgetSubjects(tx, teamId, idsOf(orders)),
  wantsEnrolled: (sql, teamId) =>
    sql`exists (select from hook where ${subscribesTo(sql, teamId, 'enrollment.created')})`,
  onEnrolled: (tx, teamId, subscriptions) =>
    enqueue(tx, teamId, 'enrollment.created', () =>
      Promise.all(
        subscriptions.map(async ({ id, isTest }) => {
          const data = (await readEnrollment(tx, teamId, id))!;
          return { subjectId: id, data, isTest };
        }),
      ),
    ),
  onSubscriptionsGone: forgetSubjects,
});

/** Selects new orders as webhooks send them, without refunds. A refund that waits for one of them is added later. */
const newOrders = (sql: Sql, teamId: Uuid): Fragment => sql`
        select ${listedColumns(sql, teamId, {
          email: sql`judged.email`,
          refunded: sql`0`,
          keys: sql`case when judged.names is null then '[]' else (
            select coalesce(json_agg(distinct value), '[]') from json_to_recordset(judged.names) as named (value text)
          ) end`,
        })}
        from stored o join judged using (id)`;

const idsOf = (orders: readonly { id: Uuid }[]) => orders.map(({ id }) => id);
