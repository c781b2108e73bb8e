import type { AskAllTeams } from '../database/askAllTeams.js';
import type { Sql } from '../database/connection/connect.js';

/** Services of a program that changes orders and people. */
export interface Program {
  /** Connections for background work: a server's background pool, or a command's own pool. */
  sql: Sql;
  /** Records a fault of background work. */
  noteFault: (work: string, error: unknown) => void;
  /** Reads the rows of all teams, for jobs that find work in them. */
  askAllTeams: AskAllTeams;
  every: StartJobs;
  /**
   * Adds a function that a stopping server calls and waits for, after the last request and the last job. A command does not call
   * it.
   */
  onStop(settle: () => Promise<unknown>): void;
}

/**
 * Adds a job, which a server starts after it listens. A command starts no job.
 * @param name its name in the log and the metrics
 */
export type StartJobs = (name: string, start: Job) => void;

/** Starts a job. Returns a function that stops it. */
export type Job = (noteFault: (error: unknown) => void) => () => Promise<void>;
