import { dayMs } from '../values/timeUnits.js';

/**
 * Reads the header `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
 * @returns milliseconds, 0 to a day; null where the header is missing or is neither
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  // Some programs write a fraction, which Date.parse would take for a day long ago.
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), dayMs);
}
