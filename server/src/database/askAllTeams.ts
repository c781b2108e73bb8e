import type { Uuid } from '../values/ids.js';
import type { Fragment, Sql } from './connection/connect.js';

/**
 * Builds a condition for a column of team ids, such as `hook.team_id`: it holds one of the teams that a statement asks for. Each
 * table of the statement needs the condition: Citus asks all nodes for a table without it.
 */
export type OfTeams = (sql: Sql, column: string) => Fragment;

/** The condition of a statement that asks for all teams together. */
export const ofAllTeams: OfTeams = (sql) => sql`true`;

/** Rows of all teams. */
export interface RowsOfTeams<Row> {
  rows: readonly Row[];
  /** Teams whose rows are missing, because their node of a cluster is down. */
  missing: readonly Uuid[];
}

/**
 * Reads the rows of all teams. If a node of a cluster is down, teams on other nodes do not wait for it. The node's error is
 * recorded. Rejects if no row can be read.
 */
export type AskAllTeams = <Row>(
  statement: (ofTeams: OfTeams) => PromiseLike<readonly Row[]>,
) => Promise<RowsOfTeams<Row>>;

/** Asks one PostgreSQL, in one statement. */
export const askTogether: AskAllTeams = async (statement) => ({
  rows: await statement(ofAllTeams),
  missing: [],
});
