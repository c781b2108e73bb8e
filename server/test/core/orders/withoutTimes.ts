/** Lines of the log without durations and times, which can hold the digits of an amount, such as 10:28:49.912 those of 49.9. */
export function withoutTimes(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll(/"ms":[\d.]+|"time":"[^"]+"/g, '')).join('');
}
