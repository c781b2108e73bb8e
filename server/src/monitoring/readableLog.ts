import { sanitizeForTerminal } from '../values/sanitizeForTerminal.js';

const levelNames = new Map([
  [10, 'trace'],
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
  [60, 'fatal'],
]);

/**
 * Turns a JSON line of the log into a short line for a terminal, such as
 * `09:41:07 POST /svc-api/v1/orders 200 3.2 ms new team_… 0b7c…`. A stack keeps its line breaks.
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
