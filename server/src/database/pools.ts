import { connect, type Sql, type StatementBounds } from './connection/connect.js';

/**
 * Connections of a server, so many that no statement waits for one: of new orders (4 at once), enrollments, look-ups
 * and the sender cache (2 each), and where teams lie; of reports of known orders, which may wait for locked rows; of health
 * and metrics; of the console; of refused reports.
 */
export const connectionsOf = { main: 11, known: 5, watch: 2, console: 2, refused: 1 };

/** The pools of a server. */
export type Pools = Record<keyof typeof connectionsOf, Sql>;

/** Whoever asks for health has waited 2 s and is gone; a probe that hangs keeps the next one from being made. A refused report that is not kept by then is sent again. */
const watchBounds = { statementMs: 2_000, lockMs: 1_000, answerMs: 3_000 };

/** Opens the pools of a server; each connects when it is first used. */
export function openPools(databaseUrl: string, bounds: StatementBounds): Pools {
  return {
    main: connect(databaseUrl, connectionsOf.main, bounds),
    known: connect(databaseUrl, connectionsOf.known, bounds),
    watch: connect(databaseUrl, connectionsOf.watch, { ...bounds, ...watchBounds }),
    console: connect(databaseUrl, connectionsOf.console, bounds),
    refused: connect(databaseUrl, connectionsOf.refused, { ...bounds, ...watchBounds }),
  };
}
