import { deliveryContent } from '../core/orders/read/listedOrder.js';
import type { TeamRounds } from '../core/teams/teamRounds.js';
import type { GroupCommitLoad } from '../database/batch/groupCommit.js';
import type { Clock } from '../database/clock.js';
import type { Pools } from '../database/pools.js';
import { startSummingDays } from '../features/overview/sumDays.js';
import { watchRefused } from '../features/refused/watchRefused.js';
import { watchOrders } from '../features/silence/watchOrders.js';
import type { AwayTime } from '../features/sources/awayTime.js';
import { createSendToShop } from '../features/sources/sendToShop.js';
import { startSyncing } from '../features/sources/startSyncing.js';
import type { StoreEvent } from '../features/sources/storeEvent.js';
import { startDeliveryExpiry } from '../features/webhooks/expireDeliveries.js';
import type { IdleWait } from '../features/webhooks/idleWait.js';
import { sendHook } from '../features/webhooks/send.js';
import { startDelivering } from '../features/webhooks/startDelivering.js';
import { startWatching } from '../features/webhooks/startWatching.js';
import type { BackgroundWork } from '../monitoring/noteFaults.js';

/** Deliveries slow down above this many queued orders. */
const ordersAtRest = 16;

/** Dependencies of the background work. */
export interface BackgroundDeps {
  pools: Pick<Pools, 'background' | 'hooks'>;
  clock: Clock;
  noteFault: (work: BackgroundWork, error: unknown) => void;
  /** Rows and statements of new and known orders. */
  load: () => GroupCommitLoad;
  startSettlingRefunds: TeamRounds['start'];
  startCleaningRefused: TeamRounds['start'];
  storeEvent: StoreEvent;
  away: AwayTime;
  /** Pauses of the deliveries to webhooks. */
  idle: IdleWait;
}

/**
 * Starts what a server does without being asked: it removes refused reports that are settled or old, and old deliveries,
 * settles refunds that waited for their order, delivers to webhooks, asks shops for orders that no webhook brought, and
 * watches for orders that stop and refusals that begin. Each job takes its first
 * database connection after the server listens: where connections are few, it takes none that the start needs.
 * @returns stops all jobs; resolves when no delivery and no check is in flight
 */
export function startBackgroundWork({
  pools,
  clock,
  noteFault,
  load,
  startSettlingRefunds,
  startCleaningRefused,
  storeEvent,
  away,
  idle,
}: BackgroundDeps): () => Promise<void> {
  const stops = [
    startCleaningRefused((error) => noteFault('refused_cleaning', error)),
    startSettlingRefunds((error) => noteFault('refund_settling', error)),
    startSummingDays(pools.background, (error) => noteFault('day_sums', error)),
    startDeliveryExpiry(pools.background, (error) => noteFault('hook_expiry', error)),
    startDelivering({
      sql: pools.hooks,
      content: deliveryContent,
      send: sendHook,
      clock,
      noteFault: (error) => noteFault('hook_deliveries', error),
      isBusy: () => load().rows > ordersAtRest,
      idle,
    }),
    startSyncing({
      sql: pools.background,
      storeEvent,
      away,
      send: createSendToShop(),
      nowMs: clock.nowMs,
      noteFault: (error) => noteFault('source_sync', error),
    }),
    startWatching(
      pools.background,
      { 'orders.stopped': watchOrders, 'refused.began': watchRefused },
      { nowMs: clock.nowMs, noteFault: (error) => noteFault('hook_checks', error) },
    ),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
