import pino, { type Logger } from 'pino';
import type { Config } from '../config.js';
import { toReadable } from './readableLog.js';

/**
 * One line a happening on stdout: short ones at once where a person watches, else JSON, buffered for up to a
 * second or 4 kB. Where nobody reads it, what is past 16 MB is dropped. Times are UTC.
 */
export function createLog(level: Config['logLevel']): Logger {
  const options = { level, base: null, timestamp: isoTime };
  if (process.stdout.isTTY) {
    return pino(options, { write: (line: string) => void process.stdout.write(toReadable(line)) });
  }
  const buffered = {
    dest: 1,
    sync: false,
    minLength: 4096,
    periodicFlush: 1000,
    maxLength: 16 * 1024 * 1024,
  };
  return pino(options, pino.destination(buffered));
}

let lastMs = 0;
let lastTime = '';

/** The time as pino takes it; many lines share a millisecond, and writing one out showed in the profile. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lastTime;
}
