import { connect, type StatementBounds } from './connection/connect.js';

/** The bounds of every server; tests give shorter ones. */
export const statementBounds: StatementBounds = {
  statementMs: 10_000,
  lockMs: 3_000,
  idleInTransactionMs: 30_000,
  arePassed: true,
  answerMs: 12_000,
};

/**
 * The bounds that a server can have on this database. PgBouncer refuses connections with parameters that it does not
 * know, unless its `ignore_startup_parameters` names them; the operator is told.
 */
export async function findBounds(
  databaseUrl: string,
  notify: (line: string) => void,
): Promise<StatementBounds> {
  const sql = connect(databaseUrl, 1, statementBounds);
  try {
    await sql`/* tryBounds */ select`;
    return statementBounds;
  } catch (error) {
    if (!(error as Error).message?.includes('startup parameter')) throw error;
    notify(
      'The pooler in front of the database takes no statement_timeout; set one for the database itself: alter database … set statement_timeout = 10000.',
    );
    return { ...statementBounds, arePassed: false };
  } finally {
    await sql.end({ timeout: 0 });
  }
}
