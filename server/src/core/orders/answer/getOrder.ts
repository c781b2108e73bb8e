import type { PlacedOrder } from '@orderbeacon/sdk/contract';
import type { Sql } from '../../../database/connection/connect.js';
import type { InTurn } from '../../../database/turns.js';
import { type Handle, success } from '../../../http/exchange.js';
import { ApiError } from '../../../values/errors.js';
import { decodeId, type Uuid } from '../../../values/ids.js';
import { limits } from '../../../values/limits.js';
import { isPostgresText, visibleId } from '../../../values/text.js';
import type { RecordKeyUse } from '../../teams/recordKeyUse.js';
import type { IdentifySender } from '../../teams/senders.js';
import { requireMode } from '../../teams/sql/apiKey.js';
import type { SettleOrder } from '../merge/waiting.js';
import { findNamedOrder } from '../store/sql/namedOrder.js';
import { addRefunds, findListed } from './addRefunds.js';

export interface GetOrderDeps {
  requireKey: IdentifySender['requireKey'];
  inTurn: InTurn;
  settleOrder: SettleOrder;
  recordKeyUse: RecordKeyUse;
}

/**
 * `GET /svc-api/v1/orders/:id`, with an API key: all stored data of an order of the key's mode. The id is an `ord_…`, an `ORD-…`,
 * or else the caller's own `orderId`.
 */
export function getOrder({ requireKey, inTurn, settleOrder, recordKeyUse }: GetOrderDeps): Handle {
  return async function getOrder(exchange, name) {
    const sender = await requireKey(exchange); // 401, 429
    const { teamId, keyHash } = sender;
    const order = await inTurn(teamId, async (sql): Promise<PlacedOrder | undefined> => {
      const { isTest } = await requireMode(sql, sender); // 401
      // As in reports, only the visible characters of an id count.
      const orderId = visibleId(name);
      if (orderId.length > limits.id || !isPostgresText(orderId)) return undefined;
      const names = { id: decodeId('ord', orderId), name: orderId, isTest };
      const read = async () => {
        const id = await findNamedOrder(sql, teamId, names);
        if (id === null) return undefined;
        await settleOrder(sql, teamId, id);
        return readOrder(sql, teamId, id);
      };
      // Read again, because the order may have been merged into another one concurrently.
      return (await read()) ?? read();
    }); // 503
    recordKeyUse(keyHash);
    if (!order) throw new ApiError('order_not_found');
    return { status: 200, body: success(order) };
  };
}

/** Reads an order with its refunds; undefined if it does not exist. */
async function readOrder(sql: Sql, teamId: Uuid, id: Uuid): Promise<PlacedOrder | undefined> {
  const row = await findListed(sql, teamId, id);
  return row && addRefunds(sql, teamId, row);
}
