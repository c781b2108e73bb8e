import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from './makeFolder.js';

/**
 * A request to repeat. `{n}` in the body becomes a different text each time. `{count}` becomes 1, 2, 3 and so on, and begins
 * again with each measurement.
 */
export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** The measured rate and latencies. */
export interface Measured {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const wrk = findProgram('wrk');
export const pgbench = findProgram('pgbench') ?? findProgram('pgbench', '/usr/lib/postgresql/15/bin');

/** Checks that wrk exists. Call it before anything is started. @throws Error if wrk is missing */
export function requireWrk(): string {
  if (!wrk) throw new Error('The load is made by wrk. Debian and Homebrew have a package of that name.');
  return wrk;
}

/** Number of the run. It differs between runs, so that no two send the same orderId. */
let run = Date.now();

/** Sends the request by wrk for `seconds` over `connections`. @throws Error if an answer is not a success */
export async function measure(load: Load, connections: number, seconds: number): Promise<Measured> {
  const program = requireWrk();
  run++;
  const folder = await makeFolder('bench');
  const script = join(folder, 'load.lua');
  const headers = Object.entries(load.headers).map(
    ([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`,
  );
  const parts = (load.body ?? '')
    .split(/(\{n\}|\{count\})/)
    .map((part) => (part === '{n}' ? 'n' : part === '{count}' ? 'count' : lua(part)))
    .join(' .. ');
  await writeFile(
    script,
    `wrk.method = ${lua(load.method)}
${headers.join('\n')}
local count = 0
function request()
  count = count + 1
  local n = ${lua(`${run}-`)} .. count
  return wrk.format(nil, nil, nil, ${load.body ? parts : 'nil'})
end
function done(summary, latency)
  local errors = summary.errors
  local failures = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, failures,
    latency:percentile(50), latency:percentile(99)))
end
`,
  );
  try {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, load.url];
    const { stdout } = await promisify(execFile)(program, args);
    const [requests, micros, failures, p50, p99] = /RESULT (.*)/.exec(stdout)![1]!.split(' ').map(Number);
    if (failures) throw new Error(`${load.url}: ${failures} of ${requests} requests failed`);
    return {
      requests: requests!,
      perSecond: requests! / (micros! / 1e6),
      p50Ms: p50! / 1000,
      p99Ms: p99! / 1000,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a prepared statement with pgbench, from `clients` clients. Resolves with the statements per second. */
export async function measurePgbench(
  path: string,
  statement: string,
  { socketFolder, user, database }: { socketFolder: string; user: string; database: string },
  clients: number,
  seconds: number,
): Promise<number> {
  const folder = await makeFolder('bench');
  const script = join(folder, 'insert.sql');
  await writeFile(script, statement.replaceAll('\n', ' '));
  try {
    const args = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '1', '-T', `${seconds}`, '-f', script];
    const { stdout } = await promisify(execFile)(path, [...args, '-h', socketFolder, '-U', user, database]);
    // It prints no rate if no statement has ended in time.
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function findProgram(name: string, folders = process.env.PATH ?? ''): string | undefined {
  return folders
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function lua(text: string): string {
  return JSON.stringify(text);
}
