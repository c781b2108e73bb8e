import { connect, type StatementBounds } from './connection/connect.js';

/** Bounds of every server; tests use shorter ones. */
export const statementBounds: StatementBounds = {
  statementMs: 10_000,
  lockMs: 3_000,
  idleInTransactionMs: 30_000,
  arePassed: true,
  answerMs: 12_000,
};

/**
 * Tries which bounds the database takes as connection parameters. PgBouncer refuses connections with parameters that
 * it does not know, unless its `ignore_startup_parameters` names them; then the operator gets a notice.
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
      'The pooler in front of the database refuses statement_timeout as a connection parameter; set it for the database itself: alter database … set statement_timeout = 10000.',
    );
    return { ...statementBounds, arePassed: false };
  } finally {
    await sql.end({ timeout: 0 });
  }
}
