import type { Sql } from './database/connect.js';
import { createGroupCommit, type GroupCommitBounds } from './groupCommit.js';
import type { Uuid } from './ids.js';
import type { Metrics } from './monitoring/metrics.js';
import { createRecordOrders, type Outcome } from './orders/recordOrders.js';
import { createLookUpProducts } from './products/lookUpProducts.js';
import { type EnrolledRow, type EnrollmentRow, enrollPeople } from './sql/enrollPeople.js';
import type { FoundProductRow, ProductRequest } from './sql/findProducts.js';
import type { CheckedReport } from './sql/reportOrders.js';

/**
 * Bounds of the group commits of a server. A statement of 256 rows took 18 ms. Four teams at once leave
 * connections for the reports that take longer, those of known orders. 4,000 rows of a team are about a second
 * of work: a flood is told to wait rather than kept waiting, and other teams have room.
 */
export const groupCommitBounds: GroupCommitBounds = {
  batchRows: 256,
  statementsInFlight: 4,
  rowsWaiting: 8_000,
  rowsWaitingOfGroup: 4_000,
};

/** What the three endpoints ask of the database, each through a group commit of its own. */
export interface GroupCommits {
  /** `recordOrders`: stores a report; resolves after the commit that holds its order. */
  submitReport(teamId: Uuid, report: CheckedReport): Promise<Outcome>;
  /** `enrollPeople`: enrolls a person; resolves after the commit. */
  enroll(teamId: Uuid, enrollment: EnrollmentRow): Promise<EnrolledRow>;
  /** `findProducts`: looks a product up; what it finds was so at some time after the call. */
  findProduct(teamId: Uuid, request: ProductRequest): Promise<FoundProductRow>;
}

/** Makes the group commits of a server, and shows the one of orders in its metrics. */
export function createGroupCommits(sql: Sql, metrics: Metrics, bounds: GroupCommitBounds): GroupCommits {
  const orders = createGroupCommit(createRecordOrders(sql, metrics.merged), bounds, metrics.batch);
  metrics.watchQueue(orders.load);
  const enrollments = createGroupCommit(
    (teamId, rows: EnrollmentRow[]) => enrollPeople(sql, teamId, rows),
    bounds,
  );
  // A statement may answer with as many whole products as it has rows.
  const lookUps = createGroupCommit(createLookUpProducts(sql), { ...bounds, batchRows: 64 });
  return { submitReport: orders.submit, enroll: enrollments.submit, findProduct: lookUps.submit };
}
