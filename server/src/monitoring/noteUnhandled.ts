import type { Logger } from 'pino';

/** Time for the process to answer the requests in progress and to end by itself. */
const endAtMostMs = 30_000;

/**
 * Handles unhandled rejections and uncaught exceptions. The first one is logged with its causes and resolves the promise, so that
 * the server can stop in order. Without this handler it would end the process immediately. The process then ends with 1, after 30 s
 * by force.
 */
export function noteUnhandled(log: Pick<Logger, 'fatal'>): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
      process.on(event, (reason: unknown) => {
        log.fatal({ fault: event, error: describeCauses(reason) });
        process.exitCode = 1;
        setTimeout(() => process.exit(), endAtMostMs).unref();
        resolve();
      });
    }
  });
}

/**
 * Lists the stacks from the outermost error to its first cause. Leaves out a database error's parameters, because they contain data
 * that people sent.
 */
function describeCauses(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  const own = 'code' in reason ? `${reason.stack} (${reason.code})` : String(reason.stack);
  return reason.cause === undefined ? own : `${own}\ncaused by ${describeCauses(reason.cause)}`;
}
