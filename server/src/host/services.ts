import type { Registry } from 'prom-client';
import type { Listener, Listeners } from '../core/listener.js';
import { createLookAgain } from '../core/orders/merge/lookAgain.js';
import { createPlaceStatements } from '../core/orders/merge/placeStatements.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import {
  createStoreReport,
  type StoreReport,
  type StoreReportEvents,
} from '../core/orders/store/storeReport.js';
import {
  createRemoveRefund,
  createStoreRefund,
  type RemoveRefund,
  type StoreRefund,
} from '../core/refunds/storeRefund.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import { createSenderCache, type SenderCache } from '../core/teams/senders.js';
import { findKeys } from '../core/teams/sql/apiKey.js';
import { findTeams } from '../core/teams/sql/team.js';
import type { AskAllTeams } from '../database/askAllTeams.js';
import type { Clock } from '../database/clock.js';
import { type Pools, statementsOf } from '../database/pools.js';
import type { GroupCommitLoad, QueueBounds } from '../database/queue.js';
import { createTurns, type InTurn } from '../database/turns.js';
import type { LimitRate } from '../http/rateLimit.js';
import type { Distribution } from './distribution.js';
import type { Program } from './program.js';

/** Services of a server that exist before any feature is installed. */
interface Given {
  pools: Pools;
  /** Limits of each queue. */
  queue: QueueBounds;
  /** The installation's secret, from which people's ids are derived. */
  secret: string;
  clock: Clock;
  /** Metrics of features are registered here. */
  registry: Registry;
  limitRate: LimitRate;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Callers that may see the demo page. `thisMachine`: callers over loopback without a proxy. */
  trialAccess: 'everyone' | 'thisMachine' | 'nobody';
  /** Set if only the server's own machine can reach it. */
  isOwnMachine: boolean;
}

/** Services of a server. */
export interface Services extends Given {
  /** All listeners. Code that changes orders and people notifies them. */
  listeners: Listeners;
  senderCache: SenderCache;
  storeReport: StoreReport;
  /** Runs a statement that reads or changes stored orders, at the team's turn. */
  inTurn: InTurn;
  storeRefund: StoreRefund;
  removeRefund: RemoveRefund;
  place: PlaceStatements;
  /** Reads the rows of all teams, for jobs that find work in them. */
  askAllTeams: AskAllTeams;
  /** Rows and statements of new and known orders that wait or run. */
  load: () => GroupCommitLoad;
}

/**
 * Creates the services of a server.
 * @param listeners gets the core's own listener first; others may be added until the server listens
 */
export function createServices(
  given: Given,
  {
    listeners,
    program,
    distribution,
    events,
  }: {
    listeners: Listener[];
    program: Program;
    distribution: Distribution | undefined;
    events: StoreReportEvents;
  },
): Services {
  const { pools, queue } = given;
  const lookAgain = createLookAgain(
    program.sql,
    createPlaceStatements(program.sql, listeners),
    listeners,
    false,
    program.askAllTeams,
  );
  listeners.push(lookAgain.listener);
  program.every('look_again', lookAgain.start);
  const place = createPlaceStatements(pools.work, listeners, lookAgain.onWaiting);
  const storeNew = distribution?.reports(pools.work, listeners);
  const { storeReport, load } = createStoreReport(pools, queue, { listeners, place, storeNew }, events);
  const { inTurn } = createTurns(pools.work, queue, {
    concurrent: statementsOf.storedOrders,
    leftToOthers: 2,
    tookTooLong: 'Reading or changing the order took too long; try again.',
  });
  const senderCache = createSenderCache(
    {
      findKeys: (hashes) => findKeys(pools.work, hashes),
      findTeams: (ids) => findTeams(pools.work, ids),
    },
    { ...queue, rowsWaitingOfGroup: 1_000 },
  );
  return {
    ...given,
    listeners,
    askAllTeams: program.askAllTeams,
    senderCache,
    storeReport,
    load,
    inTurn,
    place,
    storeRefund: createStoreRefund(inTurn, place),
    removeRefund: createRemoveRefund(inTurn, place),
  };
}
