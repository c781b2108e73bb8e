import type { Logger } from 'pino';

/** Time between two lines about the same fault, because a loop may meet it each second. */
const everyMs = 60_000;

/**
 * Creates the function that counts and logs faults of background work. It logs one line a minute for each work and kind of fault,
 * with the number of faults since the last line. The kind is the error's code, or its name if it has no code.
 * @param count called with the work of each fault
 * @param nowMs default: `performance.now`
 */
export function createNoteFault(
  log: Pick<Logger, 'error'>,
  count: (work: string) => void,
  nowMs: () => number = () => performance.now(),
): (work: string, error: unknown) => void {
  const lines = new Map<string, { atMs: number; since: number }>();
  return function noteFault(work, error) {
    count(work);
    const kind = kindOf(error);
    const key = `${work} ${kind}`;
    const line = lines.get(key);
    if (line && nowMs() - line.atMs < everyMs) {
      line.since++;
      return;
    }
    lines.set(key, { atMs: nowMs(), since: 0 });
    log.error({ work, fault: kind, error: messageOf(error), ...(line?.since && { times: line.since + 1 }) });
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}

/** Describes a database's error only by its message, which contains no parameters, and a fault of the code by its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? error.message : (error.stack ?? error.message);
}
