import type { PlaceStatements } from '../../../../src/core/orders/merge/placing.js';
import type { StatedObject } from '../../../../src/core/orders/merge/statement.js';
import { prepareReport } from '../../../../src/core/orders/receive/prepareReport.js';
import { readReport } from '../../../../src/core/orders/receive/readReport.js';
import { createPlaceReport } from '../../../../src/core/orders/store/placeReport.js';
import { createStoreRefund } from '../../../../src/core/refunds/storeRefund.js';
import type { Sql } from '../../../../src/database/connection/connect.js';
import { readEvents } from '../../../../src/features/sources/receive/readEvents.js';
import { createStoreEvent } from '../../../../src/features/sources/receive/storeEvent.js';
import type { ShopSource, SourceKind } from '../../../../src/features/sources/source.js';
import { encodeId, newUuid } from '../../../../src/values/ids.js';
import type { Delivery } from './purchases.js';

/** Reads the statements of deliveries by the server's functions, without stored orders. */
export async function logOf(
  sql: Sql,
  sources: Record<SourceKind, ShopSource>,
  deliveries: readonly Delivery[],
): Promise<StatedObject[]> {
  const log: StatedObject[] = [];
  // A team without orders, so that no statement finds stored data.
  const team = newUuid();
  const teamId = encodeId('team', team);
  const place: PlaceStatements = async (_team, _isTest, { stated }) => {
    log.push(...stated);
    const none = { orders: [], objects: [], removed: [], gone: [], asked: undefined };
    return { plan: none, isWritten: false, mergedIds: [] };
  };
  const clock = { nowMs: Date.now, idMs: Date.now, stop() {} };
  const inTurn = (<T>(_team: string, work: (sql: Sql) => T) => work(sql)) as never;
  const keepRefused = async () => {
    throw new Error('An event was refused.');
  };
  const storeEvent = createStoreEvent({ inTurn, clock, secret: 's', place, keepRefused });
  const placeReport = createPlaceReport(sql, place, () => {});
  const storeRefund = createStoreRefund(inTurn, place);
  for (const delivery of deliveries) {
    if (delivery.by === 'page' || delivery.by === 'backend') {
      const isPage = delivery.by === 'page';
      const parsed = readReport({ teamId, ...delivery.body }, isPage);
      if (parsed.issues) throw new Error('A report cannot be read.');
      const sender = {
        teamId: team,
        keyHash: isPage ? null : 'key',
        host: isPage ? 'shop.example' : null,
        idempotencyKey: delivery.by === 'backend' ? delivery.key : undefined,
        createdAt: new Date().toISOString(),
        idMs: Date.now(),
      };
      // Nothing is stored, so there is no order to answer with.
      await placeReport(team, { ...prepareReport(parsed, sender as never, 's'), isTest: false }).catch(
        () => {},
      );
    } else if (delivery.by === 'refund') {
      const refund = { reason: null, isTest: false, createdAt: new Date().toISOString(), ...delivery.body };
      await storeRefund(team, refund as never).catch(() => {});
    } else {
      const { payload, topic, by } = delivery as Extract<Delivery, { payload: unknown }>;
      const { events, ...sent } = await readEvents(by, Buffer.from(JSON.stringify(payload)), topic);
      for (const event of events) await storeEvent({ ...sources[by], teamId: team }, event, sent);
    }
  }
  return log;
}
