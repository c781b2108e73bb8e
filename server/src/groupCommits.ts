import { createGroupCommit, type GroupCommitBounds } from './database/batch/groupCommit.js';
import { findMachines } from './database/cluster/findMachines.js';
import { isSpread } from './database/cluster/listSpread.js';
import { createMachines } from './database/cluster/machines.js';
import { createPlacement } from './database/cluster/placement.js';
import { connectionsOf, type Pools } from './database/pools.js';
import type { Metrics } from './monitoring/metrics.js';
import { createRecordOrders, type ReportOutcome } from './orders/recordOrders.js';
import { createSubmitReport, type SubmitReport } from './orders/submitReport.js';
import { type EnrolledRow, type EnrollmentRow, enrollPeople } from './people/sql/enrollPeople.js';
import { enrollPeopleSpread } from './people/sql/enrollPeopleSpread.js';
import { createLookUpProducts } from './products/lookUpProducts.js';
import type { FoundProductRow, ProductRequest } from './products/sql/findProducts.js';
import { createSenderCache, type SenderCache } from './teams/senderCache.js';
import { findKeys } from './teams/sql/findKeys.js';
import { findTeams } from './teams/sql/findTeams.js';
import type { Uuid } from './values/ids.js';

/**
 * Bounds of the group commits of a server. A statement of 256 rows took 18 ms. 4,000 rows of a team are about a second
 * of work: a flood is told to wait rather than kept waiting, and other teams have room.
 */
export const groupCommitBounds: GroupCommitBounds = {
  batchRows: 256,
  statementsInFlight: 4,
  rowsWaiting: 8_000,
  rowsWaitingOfGroup: 4_000,
  waitAtMostMs: 5_000,
};

/** What the three endpoints ask of the database, each through a group commit of its own. */
export interface GroupCommits {
  /** `recordOrders`, for teams that exist. */
  submitReport: SubmitReport;
  /** `enrollPeople`: enrolls a person; resolves after the commit. */
  enroll(teamId: Uuid, enrollment: EnrollmentRow): Promise<EnrolledRow>;
  /** `findProducts`: looks a product up; what it finds was so at some time after the call. */
  findProduct(teamId: Uuid, request: ProductRequest): Promise<FoundProductRow>;
  /** Which teams and keys exist. */
  senderCache: SenderCache;
}

/** Makes the group commits of a server, and shows the one of orders in its metrics. */
export function createGroupCommits(
  { main, known }: Pools,
  metrics: Metrics,
  bounds: GroupCommitBounds,
): GroupCommits {
  const placement = createPlacement(() => isSpread(main));
  const machines = createMachines(placement, (teams) => findMachines(main, teams), {
    ...bounds,
    statementsInFlight: 1,
  });
  const ofMachines = { ...bounds, machineOf: machines.of };
  const few = { ...ofMachines, statementsInFlight: 2 };
  const senderCache = createSenderCache(
    { findKeys: (hashes) => findKeys(main, hashes), findTeams: (ids) => findTeams(main, ids) },
    { ...few, rowsWaitingOfGroup: 1_000 },
  );
  // One team leaves two connections to the others, and one machine of a cluster one of them.
  const knownOrders = createGroupCommit(
    async (_, [run]: (() => Promise<ReportOutcome>)[]) => [await run!()],
    {
      ...ofMachines,
      batchRows: 1,
      statementsInFlight: connectionsOf.known,
      statementsOfGroup: connectionsOf.known - 2,
    },
  );
  const inTurn = knownOrders.submit;
  const recordOrders = createRecordOrders(main, { sql: known, inTurn }, placement, metrics.merged);
  const orders = createGroupCommit(recordOrders, ofMachines, metrics.batch);
  metrics.watchQueue(orders.load);
  const enrollments = createGroupCommit(
    (teamId, rows: EnrollmentRow[]) =>
      placement.choose({
        whole: () => enrollPeople(main, teamId, rows),
        spread: () => enrollPeopleSpread(main, teamId, rows),
      }),
    few,
  );
  // A statement may answer with as many whole products as it has rows.
  const lookUps = createGroupCommit(createLookUpProducts(main), { ...few, batchRows: 64 });
  /** Has a row wait until the machine of its team is known. */
  const onceLearned =
    <Row, Result>(submit: (teamId: Uuid, row: Row) => Promise<Result>) =>
    (teamId: Uuid, row: Row): Promise<Result> => {
      const learning = machines.learn(teamId);
      return learning ? learning.then(() => submit(teamId, row)) : submit(teamId, row);
    };
  return {
    submitReport: createSubmitReport(senderCache, onceLearned(orders.submit)),
    enroll: onceLearned(enrollments.submit),
    findProduct: onceLearned(lookUps.submit),
    senderCache,
  };
}
