import pino, { type LevelWithSilent, type Logger } from 'pino';
import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';
import { isoTime } from '../values/time.js';

/** Lines are written together, in blocks of 64 KiB or 1 s: each write takes as long as an order. */
const buffering = { minLength: 65_536, maxWrite: 131_072, periodicFlush: 1000, maxLength: 16 * 1024 * 1024 };

/**
 * Creates the log, one line per event on stdout, with times in UTC. In a terminal the lines are short and appear immediately.
 * Elsewhere they are JSON, buffered for up to 1 s or 64 KiB. If stdout is not read, or a disk is full, lines beyond 16 MiB are
 * dropped.
 */
export function createLog(level: LevelWithSilent): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${isoTime(Date.now())}"` };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line: string) => void process.stdout.write(toReadable(line)) });
  }
  // As bytes: with texts, pino counts the bytes of all waiting lines again for each line, which takes up to 8 us.
  const output = pino.destination({ dest: 1, sync: false, contentMode: 'buffer', ...buffering });
  const errors = trackWriteErrors(output);
  // On exit pino's own listener would try forever if a write fails. The last write shows if one fails.
  process.once('beforeExit', () => output.flush());
  process.prependListener('exit', () => void (errors.isFailing() && output.destroy()));
  return pino(options, { write: (line: string) => void output.write(Buffer.from(line) as never) });
}

const levelNames = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);

/**
 * Turns a JSON line of the log into a short line for a terminal, such as `09:41:07 POST /svc-api/v1/orders 200 3.2 ms new team_…
 * 0b7c…`. A stack keeps its line breaks.
 */
export function toReadable(line: string): string {
  const { time, level, method, route, status, ms, outcome, mode, team, requestId, ...rest } =
    JSON.parse(line);
  // Left out to keep the line short.
  delete rest.reportedBy;
  const at = String(time).slice(11, 19);
  const more = Object.entries(rest).map(([name, value]) =>
    name === 'msg' || name === 'error' ? value : `${name}=${JSON.stringify(value)}`,
  );
  const words =
    method === undefined
      ? [at, levelNames.get(level), requestId, ...more]
      : [
          at,
          method,
          route,
          status,
          `${Number(ms).toFixed(1)} ms`,
          outcome,
          mode === 'test' ? mode : undefined,
          team,
          requestId,
          ...more,
        ];
  const text = words.filter((word) => word !== undefined).join(' ');
  return `${text.split('\n').map(sanitizeForTerminal).join('\n')}\n`;
}

/**
 * Prevents an output that cannot write from ending the process, such as a file on a full disk. Reports the first failure on stderr.
 * The output keeps its lines, and continues when it can.
 */
function trackWriteErrors(output: ReturnType<typeof pino.destination>): { isFailing: () => boolean } {
  let isFailing = false;
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (!isFailing && code !== 'EPIPE')
      process.stderr.write(`orderbeacon: Cannot write the log: ${code}. The server goes on without it.\n`);
    isFailing = true;
  });
  output.on('write', () => {
    isFailing = false;
  });
  return { isFailing: () => isFailing };
}
