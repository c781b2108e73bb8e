import { chownSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './embeddedFolder.js';

/** Where PostgreSQL's own messages go: those of this start; the start before keeps its own beside it. */
export const logFile = (homeFolder: string) => join(homeFolder, 'postgres.log');

/** Opens a fresh log for a start. */
export function openLog({ folder, user }: Home): number {
  const path = logFile(folder);
  if (existsSync(path)) renameSync(path, join(folder, 'postgres.before.log'));
  const log = openSync(path, 'a', 0o600);
  if (user) chownSync(path, user.uid, user.gid);
  return log;
}

/** The last line in which PostgreSQL says why it gave up, without its time and level. */
export function lastComplaint(homeFolder: string): string {
  const lines = readFileSync(logFile(homeFolder), 'utf8').trim().split('\n');
  const last = lines.findLast((line) => /\b(FATAL|PANIC)\b/.test(line)) ?? lines.at(-1);
  return last?.replace(/^.*?(FATAL|PANIC):\s*/, '') || 'it gave no reason';
}
