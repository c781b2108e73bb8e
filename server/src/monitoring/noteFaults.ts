import type { Logger } from 'pino';

/** A loop that meets the same fault each second has one line a minute. */
const everyMs = 60_000;

/**
 * Counts faults of work in the background, and logs them: one line a minute for each work and kind of fault, with the number
 * of those since the last line. The kind is the error's code, or its name without one.
 * @param count gets each fault
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

/** Describes a database's error by its message alone, which holds no parameters, and a fault of the code by its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? error.message : (error.stack ?? error.message);
}
