import pino, { type LevelWithSilent, type Logger } from 'pino';
import { isoTime } from '../values/isoTime.js';
import { gatherLines } from './gatherLines.js';
import { toReadable } from './readableLog.js';

/** Lines wait for so many others, or so long, before they are written. */
const gathering = { charactersAtMost: 16 * 1024, waitMs: 1000 };

/**
 * Makes the log, one line per event on stdout. In a terminal the lines are short and appear at once; elsewhere
 * they are JSON, buffered for up to 1 s or 16 kB. When stdout is not read, lines beyond 16 MB are dropped. Times
 * are UTC.
 */
export function createLog(level: LevelWithSilent): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${isoTime()}"` };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line: string) => void process.stdout.write(toReadable(line)) });
  }
  // What it has begun to write when the process ends is lost, so it begins when it is told.
  const minLength = gathering.charactersAtMost - 1;
  const output = pino.destination({ dest: 1, sync: false, minLength, maxLength: 16 * 1024 * 1024 });
  const gathered = gatherLines(output, gathering);
  // Before the output's own listeners, which close it.
  process.prependListener('beforeExit', gathered.flush);
  process.prependListener('exit', () => {
    if (!(output as { destroyed?: boolean }).destroyed) gathered.flushSync();
  });
  return pino(options, gathered);
}
