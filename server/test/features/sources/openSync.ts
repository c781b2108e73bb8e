import { createCommandReports } from '../../../src/commands/commandReports.js';
import { recordFound } from '../../../src/core/orders/store/sql/foundOrder.js';
import { findSecret } from '../../../src/database/installation.js';
import { createSendToShop } from '../../../src/features/sources/ask/sendToShop.js';
import { syncSource } from '../../../src/features/sources/ask/syncSource.js';
import { createStoreEvent } from '../../../src/features/sources/receive/storeEvent.js';
import type { SourceKind } from '../../../src/features/sources/source.js';
import type { Uuid } from '../../../src/values/ids.js';
import { extrasOf } from '../../kit/listeners.js';
import type { Shop } from '../../kit/shop.js';
import { addTestSource } from './kit/sources.js';
import { apiKeys, listChanges, type ShopFaultOfTest, startShopStandIn } from './shopStandIn.js';

/** Opens a source whose shop is a stand-in, with a function that asks the shop. */
export async function openSync(
  shop: Shop,
  kind: SourceKind,
  changes = listChanges(kind, 500),
  fault?: (request: number) => ShopFaultOfTest | undefined,
) {
  const standIn = await startShopStandIn(kind, changes, fault);
  const source = await addTestSource(shop.server, shop.team, { kind });
  const storeEvent = await storeEventOf(shop);
  const pauses: number[] = [];
  const deps = {
    storeEvent,
    recordFound: (teamId: Uuid, id: Uuid) => recordFound(shop.sql, teamId, [id]),
    send: createSendToShop({ answerMs: 1_000 }),
    pause: async (ms: number) => void pauses.push(ms),
    nowMs: Date.now,
  };
  const access = { shopUrl: standIn.url, apiKey: apiKeys[kind], allowsPrivate: true };
  return {
    ...standIn,
    source,
    access,
    deps,
    pauses,
    sync: (from: Date | null = null, changed: Partial<typeof access> = {}) =>
      syncSource({ ...source, ...access, ...changed }, from, deps),
  };
}

/** Creates the function that stores the facts of an event, as a command does. */
export async function storeEventOf({ sql }: Shop) {
  return createStoreEvent({
    secret: await findSecret(sql),
    clock: { nowMs: Date.now, idMs: Date.now, stop() {} },
    ...createCommandReports(sql, extrasOf(sql)),
    keepRefused: async () => {},
  });
}
