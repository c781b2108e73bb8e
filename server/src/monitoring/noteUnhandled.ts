import type { Logger } from 'pino';

/** How long the process may still take to answer what is in flight and to end by itself. */
const endAtMostMs = 30_000;

/**
 * From now on a fault that nobody handled, be it a rejected promise or an exception, does not end the process on the
 * spot: it is logged with its causes, and whoever waits on the promise can stop in order. The process ends with 1 then,
 * and by force where something keeps it.
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

/** Stacks from the outermost to the first cause; a database error's parameters, which hold what people sent, stay out. */
function describeCauses(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  const own = 'code' in reason ? `${reason.stack} (${reason.code})` : String(reason.stack);
  return reason.cause === undefined ? own : `${own}\ncaused by ${describeCauses(reason.cause)}`;
}
