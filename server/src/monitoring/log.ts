import pino, { type LevelWithSilent, type Logger } from 'pino';
import { isoTime } from '../values/isoTime.js';
import { gatherLines } from './gatherLines.js';
import { toReadable } from './readableLog.js';

/** Lines are written together: 16 KiB of them, or those of 1 s. */
const gathering = { charactersAtMost: 16 * 1024, waitMs: 1000 };

/**
 * Creates the log, one line per event on stdout, with times in UTC. In a terminal the lines are short and appear
 * immediately. Elsewhere they are JSON, buffered for up to 1 s or 16 KiB. When nobody reads stdout, or a disk is full, lines beyond
 * 16 MiB are dropped.
 */
export function createLog(level: LevelWithSilent): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${isoTime(Date.now())}"` };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line: string) => void process.stdout.write(toReadable(line)) });
  }
  // A write that has begun when the process ends is lost, so the output begins one only when it is told to.
  const minLength = gathering.charactersAtMost - 1;
  const output = pino.destination({ dest: 1, sync: false, minLength, maxLength: 16 * 1024 * 1024 });
  const gathered = gatherLines(output, gathering);
  const failure = trackWriteErrors(output);
  // These run before the output's own listeners, which close it. Its `flushSync` tries for ever where a write fails.
  process.prependListener('beforeExit', () => (failure.isFailing() ? output.destroy() : gathered.flush()));
  process.prependListener('exit', () => {
    if (failure.isFailing()) output.destroy();
    else if (!(output as { destroyed?: boolean }).destroyed) gathered.flushSync();
  });
  return pino(options, gathered);
}

/**
 * Keeps an output that cannot write, such as into a file on a full disk, from ending the process, and says so on stderr when it
 * begins. The output keeps its lines, and goes on when it can.
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
