import { dayMs, hourMs, minuteMs } from './timeUnits.js';

const unitMs = { days: dayMs, hours: hourMs, minutes: minuteMs };

/**
 * A span of time in a sentence, in the largest unit of which it has two or more: `3 days`, `26 hours`, `90 minutes`, or
 * `7.5 seconds`.
 */
export function formatDuration(ms: number): string {
  for (const [unit, ofUnit] of Object.entries(unitMs))
    if (ms >= 2 * ofUnit) return `${Math.round(ms / ofUnit)} ${unit}`;
  return `${(ms / 1000).toFixed(1)} seconds`;
}
