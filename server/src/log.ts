import pino, { type Logger } from 'pino';
import type { Config } from './config.js';

/** One JSON line a happening on stdout. Buffered for up to a second, or 4 kB, unless a person watches. */
export function createLog(level: Config['logLevel']): Logger {
  const isWatched = process.stdout.isTTY;
  const destination = pino.destination({
    dest: 1,
    sync: isWatched,
    minLength: isWatched ? 0 : 4096,
    periodicFlush: 1000,
  });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
