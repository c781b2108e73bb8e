import type { StatementBounds } from './connection/connect.js';

/** Bounds of every server; tests use shorter ones. */
export const statementBounds: StatementBounds = {
  statementMs: 10_000,
  lockMs: 3_000,
  idleInTransactionMs: 30_000,
  arePassed: true,
  answerMs: 12_000,
};
