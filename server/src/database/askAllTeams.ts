import type { Uuid } from '../values/ids.js';
import type { Fragment, Sql } from './connection/connect.js';

/**
 * Writes the condition that a column of team ids, such as `hook.team_id`, holds one of the teams that a statement asks. Each table
 * of the statement needs it: Citus asks all nodes of one that lacks it.
 */
export type OfTeams = (sql: Sql, column: string) => Fragment;

/** The condition of a statement that asks all teams together. */
export const ofAllTeams: OfTeams = (sql) => sql`true`;

/** Rows of all teams. */
export interface RowsOfTeams<Row> {
  rows: readonly Row[];
  /** Teams whose rows are missing, because their node of a cluster is away. */
  missing: readonly Uuid[];
}

/**
 * Asks for the rows of all teams, so that a node of a cluster that is away keeps no team of another node waiting. Its fault is
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
