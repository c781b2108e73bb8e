/** Removes durations and times from log lines. They may have the digits of an amount: 10:28:49.912 has those of 49.9. */
export function withoutTimes(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll(/"ms":[\d.]+|"time":"[^"]+"/g, '')).join('');
}
