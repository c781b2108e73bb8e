import type { Sql } from '../database/connection/connect.js';

/** Services of a program that changes orders and people. */
export interface Program {
  /** For what no answer waits for: a server's pool for its background work, or a command's own. */
  sql: Sql;
  /** Records a fault of what is done behind an answer. */
  noteFault: (work: string, error: unknown) => void;
  every: StartJobs;
  /** Adds what a server waits for when it stops, after the last request and the last job. A command does not call it. */
  onStop(settle: () => Promise<unknown>): void;
}

/**
 * Adds a job, which a server starts once it listens. A command starts none.
 * @param name its name in the log and the metrics
 */
export type StartJobs = (name: string, start: Job) => void;

/** Starts a job. Returns a function that stops it. */
export type Job = (noteFault: (error: unknown) => void) => () => Promise<void>;
